import type Anthropic from '@anthropic-ai/sdk';
import type {
  AnthropicAnswerBlock,
  AnthropicContent,
  AnthropicError,
  AnthropicMessage,
  AnthropicRequestBody,
  AnthropicResponseBody,
  AnthropicStopReason,
  AnthropicTool,
  AnthropicToolChoice,
  AnthropicToolResult,
  AnthropicUsage,
} from './anthropic-wire.ts';

/** The client's types are mutable; ours are not, and that is the only difference allowed. */
type Mutable<Value> = Value extends object
  ? string extends keyof Value
    ? Value
    : { -readonly [Name in keyof Value]: Mutable<Value[Name]> }
  : Value;

/** Compiles only where every value of the first type is one of the second. */
type Fits<Ours extends Theirs, Theirs> = [Ours, Theirs];

type Messages = Anthropic.MessageCreateParams;

export type Checks = [
  Fits<Mutable<AnthropicContent>, Anthropic.ContentBlockParam>,
  Fits<Mutable<AnthropicToolResult>, Anthropic.ToolResultBlockParam>,
  Fits<Mutable<AnthropicAnswerBlock>, Anthropic.ContentBlockParam>,
  Fits<Mutable<AnthropicMessage>, Anthropic.MessageParam>,
  Fits<Mutable<AnthropicTool>, Anthropic.Tool>,
  Fits<Mutable<AnthropicToolChoice>, Anthropic.ToolChoice>,
  Fits<Mutable<Omit<AnthropicRequestBody, 'stream'>>, Omit<Messages, 'stream'>>,
  Fits<AnthropicStopReason, Anthropic.StopReason>,
  // Both ways: a stop reason that the client learns of fails here.
  Fits<Anthropic.StopReason, AnthropicStopReason>,
  Fits<Mutable<AnthropicUsage>, Pick<Anthropic.Usage, keyof AnthropicUsage>>,
  Fits<
    Mutable<Omit<AnthropicResponseBody, 'content' | 'usage'>>,
    Pick<Anthropic.Message, Exclude<keyof AnthropicResponseBody, 'content' | 'usage'>>
  >,
  Fits<Mutable<AnthropicError>['error']['type'], string>,
];

// @ts-expect-error A message of a role that the wire does not have.
export type Refused = Fits<{ role: 'tool'; content: string }, Anthropic.MessageParam>;
