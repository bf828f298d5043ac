import type OpenAI from 'openai';
import { expectTypeOf, test } from 'vitest';
import type { Mutable } from '../../test-support/mutable.ts';
import type {
  InputItem,
  ResponsesBody,
  ResponsesRequestBody,
  ResponsesTool,
  ResponsesUsage,
} from './responses-wire.ts';

type Request = OpenAI.Responses.ResponseCreateParams;
// The client adds the joined text itself. Its list of codes lacks some that the service sends.
type Response = Omit<OpenAI.Responses.Response, 'output_text' | 'error'> & {
  error: (Omit<OpenAI.Responses.ResponseError, 'code'> & { code: string }) | null;
};

test('what is written is what the official client takes', () => {
  expectTypeOf<Mutable<ResponsesRequestBody>>().toExtend<Request>();
  expectTypeOf<Mutable<ResponsesBody>>().toExtend<Response>();
  expectTypeOf<Mutable<InputItem>>().toExtend<OpenAI.Responses.ResponseInputItem>();
  expectTypeOf<Mutable<ResponsesTool>>().toExtend<OpenAI.Responses.Tool>();
  expectTypeOf<Mutable<ResponsesUsage>>().toExtend<OpenAI.Responses.ResponseUsage>();
});

test('the comparison can fail', () => {
  expectTypeOf<Mutable<Omit<ResponsesBody, 'id'>>>().not.toExtend<Response>();
  expectTypeOf<{ type: 'function'; name: string }>().not.toExtend<OpenAI.Responses.Tool>();
});
