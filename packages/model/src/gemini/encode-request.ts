import type { JsonObject } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import { withoutBillingLine } from '../codec/billing-line.ts';
import type { Coded, WireRequest } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { withoutSameTools } from '../codec/same-tools.ts';
import { withoutVoidTools } from '../codec/void-tools.ts';
import { encodeConfig, objectIn } from './encode-config.ts';
import { encodeContents, encodeSystem } from './encode-contents.ts';
import { encodeToolConfig, encodeTools, type GeminiSchemaMember } from './encode-tools.ts';
import { writeGeminiPath } from './gemini-path.ts';
import { GEMINI } from './gemini-protocol.ts';

/** @see Codec.encodeRequest. */
export function encodeRequest(given: ModelCall, member: GeminiSchemaMember): Coded<WireRequest> {
  const losses = createLossLog();
  const call = withoutBillingLine(withoutSameTools(withoutVoidTools(given, losses), losses), losses);
  const kept = takeExtensions(GEMINI, call.extensions, '', losses);
  const { toolConfig: _toolConfig, generationConfig: _generationConfig, ...members } = kept;
  const { contents, system } = encodeContents(call, losses);
  const instructions = call.instructions ? encodeSystem(call.instructions, losses) : undefined;
  const toolConfig = encodeToolConfig(call, objectIn(kept, 'toolConfig'), losses);
  const generationConfig = encodeConfig(call, objectIn(kept, 'generationConfig'), losses);
  const parts = [...(instructions ?? []), ...system];
  const body: JsonObject = {
    ...members,
    contents,
    ...(instructions === undefined && parts.length === 0 ? {} : { systemInstruction: { parts } }),
    ...(call.tools ? { tools: encodeTools(call.tools, member, losses) } : {}),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...(generationConfig === undefined ? {} : { generationConfig }),
  };
  noteAbsent(call, losses);
  const path = writeGeminiPath(call.model.replace(/^models\//, ''), call.stream === true);
  return Object.freeze({ value: Object.freeze({ body: Object.freeze(body), path }), losses: losses.losses });
}

/** What is neither written nor absent: states that this wire does not tell apart, and what it has no member for. */
function noteAbsent(call: ModelCall, losses: LossLog): void {
  const { instructions, tools, toolChoice, parallelToolCalls, responseFormat, reasoning, stream, endUser } =
    call;
  const nulls = { instructions, tools, toolChoice, parallelToolCalls, responseFormat, reasoning };
  for (const [name, value] of Object.entries(nulls)) {
    if (value === null) losses.add('approximated', `/${name}`, 'info', 'null and absent are the same here');
  }
  if (call.model.startsWith('models/'))
    losses.add('approximated', '/model', 'info', 'the folder of models is understood');
  if (reasoning && Object.keys(reasoning).length === 0) {
    losses.add('approximated', '/reasoning', 'info', 'settings that say nothing are none');
  }
  if (stream === false || stream === null) {
    losses.add('approximated', '/stream', 'info', 'only streaming is said here');
  }
  if (endUser !== undefined)
    losses.add('dropped', '/endUser', 'info', 'this protocol does not name the end user');
  if (call.streamUsage !== undefined) {
    losses.add('dropped', '/streamUsage', 'info', 'usage always comes with the stream here');
  }
  if (call.previousResponseId === undefined) return;
  const isKept = call.previousResponseId !== null;
  losses.add(
    isKept ? 'refused' : 'dropped',
    '/previousResponseId',
    isKept ? 'error' : 'info',
    'no responses are kept here',
  );
}
