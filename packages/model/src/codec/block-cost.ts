/**
 * What a block of a stream counts for in the bound on its whole length besides its text, so that blocks without text are
 * not free either.
 */
export const BLOCK_COST: string = ' '.repeat(64);
