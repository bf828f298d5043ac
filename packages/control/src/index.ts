/**
 * Proxy-owned control tools: projection, reassertion, capture and completion.
 *
 * @packageDocumentation
 */

export {
  DEFAULT_MAX_ARGS_BYTES,
  MAX_CONTROL_CALLS,
  MAX_IDENTIFIER_BYTES,
  MAX_INSTRUCTION_BYTES,
  MAX_PROVIDER_ID_BYTES,
  MAX_REASON_CODE_BYTES,
  MAX_RESULT_TEXT_BYTES,
} from './bounds.ts';
export { CAPTURE_REASONS, type CaptureReason, type CaptureState } from './capture/capture-reason.ts';
export { ControlCapture } from './capture/control-capture.ts';
export { ControlError, type ControlErrorCode, controlErrorCodes } from './control-error.ts';
export { INELIGIBILITIES, type Ineligibility } from './projection/ineligibility.ts';
export { type Projected, project } from './projection/project.ts';
export { Projection } from './projection/projection.ts';
export { reassert } from './projection/reassert.ts';
export type { CompletedCall } from './provider/completed-call.ts';
export type {
  CheckedControlSpec,
  ControlInstruction,
  ControlSpec,
  ControlToolDeclaration,
} from './spec/control-spec.ts';
export { validateInstruction, validateSpec } from './spec/validate-spec.ts';
