import type { AnswerContext } from './begin-answer.ts';
import type { ToolOffers } from './request/tool-offers.ts';
import type { RouteTable } from './routes/route-table.ts';
import type { CallReader } from './surfaces/read-call.ts';

/** What serves calls in one generation of the configuration. */
export interface CallContext extends AnswerContext {
  readonly routes: RouteTable;
  readonly readCall: CallReader;
  readonly offer: ToolOffers;
}
