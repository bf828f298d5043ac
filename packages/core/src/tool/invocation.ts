/** Arguments that one exact contract admitted. */
export type Invocation = never;
