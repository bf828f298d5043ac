/** Where a worker says that it is, just before it goes on. */
export const crashStages = ['waiting', 'decided', 'appending', 'reloading'] as const;

/** A stage of {@link crashStages}. */
export type CrashStage = (typeof crashStages)[number];
