import { data, type Wire } from './events.ts';

const part = { functionCall: { name: 'find', args: { path: 'a' } }, thoughtSignature: 'c2ln' };
const counts = {
  promptTokenCount: 5,
  candidatesTokenCount: 7,
  totalTokenCount: 12,
  thoughtsTokenCount: 2,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 5 }],
};
const candidate = (parts: readonly Wire[], rest: Wire = {}): Wire => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }],
  usageMetadata: counts,
  modelVersion: 'up',
  responseId: 'r1',
});
/** Streams of one call. */
export const GEMINI_STREAMS: Readonly<Record<string, string>> = {
  Gemini: data(
    candidate([{ text: 'Look.', thought: true }]),
    candidate([part], { finishReason: 'STOP', finishMessage: 'Model generated function call(s).' }),
  ).replaceAll('\n', '\r\n'),
  Vertex: data(
    {
      ...candidate([part], { avgLogprobs: -0.1, safetyRatings: [{ category: 'HARM', severityScore: 0.1 }] }),
      createTime: '2026-01-01T00:00:00Z',
    },
    {
      ...candidate([{ text: '' }], { finishReason: 'STOP', citationMetadata: { citations: [] } }),
      usageMetadata: { ...counts, trafficType: 'ON_DEMAND' },
    },
  ),
};
