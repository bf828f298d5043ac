/**
 * The bridge from the language models of the AI SDK to the `Model` port.
 *
 * @packageDocumentation
 */
export { type AiSdkModelOptions, fromAiSdk } from './from-ai-sdk.ts';
