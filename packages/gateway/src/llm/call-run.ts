import type { IncomingHttpHeaders } from 'node:http';
import type { ModelCall } from '@toolgate/model';
import type { CallJudges } from './call-judges.ts';
import type { CallRecord } from './call-record.ts';
import type { ClientAnswer } from './client-answer.ts';
import type { ChoosableTools } from './request/choosable-tools.ts';
import type { OfferedTools } from './request/offered-tools.ts';
import type { Route } from './routes/route-table.ts';
import type { LlmServices } from './services.ts';
import type { ClientCall } from './surfaces/read-call.ts';

/** What a client asks for, in the form from which requests to candidates are made. */
export interface AskedCall {
  readonly client: ClientCall;
  readonly headers: IncomingHttpHeaders;
  readonly offered: OfferedTools;
  /** What the client's choice lets the model call. */
  readonly choosable: ChoosableTools;
  /** The call with the offered tools. */
  readonly call: ModelCall;
}

/** One model call of a client, ready to be sent on. */
export interface CallRun {
  readonly route: Route;
  readonly answer: ClientAnswer;
  readonly record: CallRecord;
  readonly requestId: string;
  /** Whose thoughts are kept and given back. */
  readonly principal: string;
  readonly judges: CallJudges;
  readonly services: LlmServices;
}
