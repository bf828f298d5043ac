/**
 * Tools for tests of tools: a clock that stands still, handlers that misbehave in known ways, and the hostile-call
 * corpus with its runner.
 *
 * @packageDocumentation
 */
export { type CoreSystem, createCoreAdapter } from './adapter/core-adapter.ts';
export {
  createFakeClock,
  type FakeClock,
  type FakeClockOptions,
  type FakeTimer,
} from './clock/fake-clock.ts';
export { CAPABILITIES, type Capability } from './corpus/capability.ts';
export {
  type AdvertisedTool,
  type CallReport,
  type CorpusAdapter,
  type CorpusHandlerContext,
  type CorpusSetup,
  type CorpusTool,
  VERDICTS,
  type Verdict,
} from './corpus/corpus-adapter.ts';
export {
  type CallExpectation,
  type CorpusCall,
  type CorpusCase,
  type CorpusGroup,
  type CorpusPolicy,
  type CorpusResume,
  type CorpusToolSpec,
  corpusGroups,
} from './corpus/corpus-case.ts';
export {
  type CaseResult,
  type CorpusCounts,
  type CorpusReport,
  formatCorpusReport,
} from './corpus/corpus-report.ts';
export type { Fault } from './corpus/judge.ts';
export { neededCapabilities } from './corpus/needed-capabilities.ts';
export { readCorpus } from './corpus/read-corpus.ts';
export { type RunCorpusOptions, runCorpus } from './corpus/run-corpus.ts';
export { type TextPiece, type TextSpec, textOf } from './corpus/text-spec.ts';
export { createIds } from './create-ids.ts';
export { createDeafHandler, type DeafHandler } from './handler/deaf-handler.ts';
export {
  createDeferredHandler,
  type DeferredCall,
  type DeferredHandler,
  type HandlerContext,
} from './handler/deferred-handler.ts';
export { createLeakingHandler, HOSTILE_RESULTS, type HostileResult } from './handler/hostile-results.ts';
export { createThrowingHandler, HOSTILE_THROWS, type HostileThrow } from './handler/hostile-throws.ts';
export { createSlowHandler, type SlowHandlerConfig } from './handler/slow-handler.ts';
export { type RecordedStream, readRecordedStreams } from './recorded-stream/read-recorded-streams.ts';
export { createReplayModel, type ReplayModel } from './recording/create-replay-model.ts';
export { readRecording } from './recording/read-recording.ts';
export { type RecordingModel, type RecordingOptions, recordModel } from './recording/record-model.ts';
export type { RecordedEnd, RecordedTurn, Recording, Redact } from './recording/recording.ts';
export { createScriptedModel, type ScriptedModel } from './scripted-model/create-scripted-model.ts';
export { readScript } from './scripted-model/read-script.ts';
export type {
  Script,
  ScriptedCall,
  ScriptedExpectation,
  ScriptedFault,
  ScriptedTurn,
} from './scripted-model/script.ts';
export { mangleStream, type StreamMangle, streamMangles } from './stream-mangler/mangle-stream.ts';
