import { createScope } from '../policy/scope.ts';
import type { CallRefusalReason } from '../tool/call-refusal.ts';
import { defineTool } from '../tool/define-tool.ts';
import { createGate } from './create-gate.ts';
import type { Outcome } from './outcome.ts';
import { REASONS, type Reason, type ReasonOf } from './reason.ts';

interface Caller {
  readonly user: string;
}

const plain = defineTool({ name: 'plain', description: '', input: { type: 'object' }, execute: () => 1 });
const named = defineTool({
  name: 'named',
  description: '',
  input: { type: 'object' },
  execute: (_input, { context }: { readonly context: Caller }) => context.user,
});

// A gate asks for the context that its tools need, and for none when they need none.
void createGate({ tools: [plain] }).open();
void createGate({ tools: [named] }).open({ context: { user: 'ana' } });
void createGate({ tools: [plain, named], scope: createScope({ deny: ['plain'] }) }).open({
  context: { user: 'ana' },
});
// @ts-expect-error a context is needed
void createGate({ tools: [named] }).open();
// @ts-expect-error another context
void createGate({ tools: [named] }).open({ context: { user: 5 } });
// @ts-expect-error the policy needs a context that the gate does not have
createGate<{ readonly id: 1 }>({ tools: [named] });
// @ts-expect-error an unknown field
createGate({ tools: [plain], parallel: true });

// An approver gets the context of the gate.
createGate<Caller>({
  tools: [named],
  scope: createScope<Caller>({
    approve: (_request, { context }) => (context.user === 'ana' ? 'allow' : 'decline'),
  }),
});

export function text(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'completed':
    case 'failed':
    case 'rejected':
    case 'invalid':
    case 'unknown':
      return outcome.output.text();
    case 'suspended':
      return outcome.approval.id;
  }
}

// The reasons of a refusal by a contract are reasons of the gate.
export const agree: Reason = '' as CallRefusalReason;
export const invalid: ReasonOf<'invalid'> = 'call_incomplete';
// @ts-expect-error of another kind
export const wrong: ReasonOf<'invalid'> = 'tool_error';
export const kind: 'unknown' = REASONS.interrupted.kind;
