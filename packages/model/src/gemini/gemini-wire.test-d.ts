import type * as Gemini from '@google/genai';
import type {
  GeminiBlob,
  GeminiCall,
  GeminiContent,
  GeminiDeclaration,
  GeminiFile,
  GeminiFinish,
  GeminiMode,
  GeminiPart,
  GeminiResponseBody,
  GeminiResult,
  GeminiUsage,
} from './gemini-wire.ts';

/** The client's types are mutable; ours are not, and that is the only difference allowed. */
type Mutable<Value> = Value extends object
  ? string extends keyof Value
    ? Value
    : { -readonly [Name in keyof Value]: Mutable<Value[Name]> }
  : Value;

/** Compiles only where every value of the first type is one of the second. */
type Fits<Ours extends Theirs, Theirs> = [Ours, Theirs];

/** The client declares its words as enums; these are the words in them. */
type Words<Enum extends string> = `${Enum}`;

export type Checks = [
  Fits<Mutable<GeminiBlob>, Gemini.Blob>,
  Fits<Mutable<GeminiFile>, Gemini.FileData>,
  Fits<Mutable<GeminiCall>, Gemini.FunctionCall>,
  Fits<Mutable<GeminiResult>, Gemini.FunctionResponse>,
  Fits<Mutable<GeminiPart>, Gemini.Part>,
  Fits<Mutable<GeminiContent>, Gemini.Content>,
  // Types of the classic schema are an enum of the client, so its members are compared by name only.
  Fits<Mutable<Omit<GeminiDeclaration, 'parameters'>>, Gemini.FunctionDeclaration>,
  Fits<keyof GeminiDeclaration, keyof Gemini.FunctionDeclaration>,
  Fits<GeminiMode, Words<Gemini.FunctionCallingConfigMode>>,
  Fits<GeminiFinish, Words<Gemini.FinishReason>>,
  Fits<Mutable<GeminiUsage>, Gemini.GenerateContentResponseUsageMetadata>,
  Fits<keyof GeminiResponseBody, keyof Gemini.GenerateContentResponse>,
  // What is read of a call that comes in pieces.
  Fits<'partialArgs' | 'willContinue', keyof Gemini.FunctionCall>,
  Fits<
    'jsonPath' | 'willContinue' | 'boolValue' | 'numberValue' | 'stringValue' | 'nullValue',
    keyof Gemini.PartialArg
  >,
];

// @ts-expect-error A call whose arguments are a text.
export type Refused = Fits<{ name: string; args: string }, Gemini.FunctionCall>;
