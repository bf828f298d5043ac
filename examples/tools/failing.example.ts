// #region failing
import { type CallContext, CallError, defineTool, Failure, PermanentError, ToolError } from '@toolgate/core';
import { z } from 'zod';
import { type Bank, BankError } from './bank.example.ts';

interface Caller {
  readonly bank: Bank;
}

const sendMoney = defineTool({
  name: 'send_money',
  description: 'Sends money from the account of the user.',
  profile: {
    class: 'external',
    resourceKey: 'account',
    timeoutMs: 20_000,
    idempotent: true,
    checkWith: 'list_transfers',
  },
  input: z.object({ to: z.string().max(34), cents: z.int().min(1) }),
  execute: async ({ to, cents }, { context: { bank }, idempotencyKey: key, signal }: CallContext<Caller>) => {
    try {
      return await bank.send({ to, cents, key }, signal);
    } catch (error) {
      throw error instanceof BankError ? toThrown(error) : error;
    }
  },
});

function toThrown(error: BankError): Error {
  switch (error.fault) {
    case 'unknown-account':
      return new ToolError('There is no account with this number. Nothing was sent.');
    case 'limit':
      return new Failure({ kind: 'rejected', output: 'The limit of this day is used up.' });
    case 'reserved':
      return new Failure({ kind: 'failed', output: 'The money is reserved and was not sent.', cause: error });
    case 'connection-lost':
      return new CallError({ cause: error, evidence: 'The bank took the order.', interrupted: true });
    case 'key-revoked':
      return new PermanentError(error);
    case 'bug':
      return error;
  }
}

// #endregion

export { sendMoney };
