/** Bytes of UTF-8 that the id of a provider may have. */
export const MAX_PROVIDER_ID_BYTES = 128;

/** Bytes of UTF-8 that an id of a call, trace, leg or candidate may have. */
export const MAX_IDENTIFIER_BYTES = 256;

/** Bytes that the reason code of an outcome may have. */
export const MAX_REASON_CODE_BYTES = 64;

/** Bytes of UTF-8 that the text of a control instruction may have. */
export const MAX_INSTRUCTION_BYTES = 65_536;

/** Bytes of UTF-8 that a published result may have. */
export const MAX_RESULT_TEXT_BYTES = 65_536;

/** Bytes of UTF-8 that the arguments of a control call may have: the default, and the most that a spec may allow. */
export const DEFAULT_MAX_ARGS_BYTES = 65_536;

/** Bytes of UTF-8 that the name of a control tool may have. */
export const MAX_TOOL_NAME_BYTES = 256;

/** Bytes of UTF-8 that the description of a control tool may have. */
export const MAX_DESCRIPTION_BYTES = 32_768;

/** Bytes of UTF-8 that the parameters of a control tool may have as JSON. */
export const MAX_PARAMETERS_BYTES = 262_144;

/** Arrays and objects that may be open at once, in parameters and in arguments. */
export const MAX_JSON_DEPTH = 64;

/** Control calls that one attempt tells apart; one more aborts it. */
export const MAX_CONTROL_CALLS = 16;
