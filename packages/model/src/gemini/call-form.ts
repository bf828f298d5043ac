import { generationOf } from './gemini-protocol.ts';

/** What the models of a generation take of calls and their results. */
export interface CallForm {
  /** Whether calls and results say the id of the call. */
  readonly ids: boolean;
  /** Where the pictures and files of a result go. */
  readonly media: 'inside' | 'behind';
}

/** The form of generation 3, which is also that of answers. */
export const NEWEST_FORM: CallForm = Object.freeze({ ids: true, media: 'inside' });

/**
 * Before generation 3 results belong to calls by their order, ids are members that some endpoints refuse (those of Vertex
 * AI among them), and a result with parts is refused everywhere.
 */
const FIRST_FORM: CallForm = Object.freeze({ ids: false, media: 'behind' });

/** The form for a model by its name. */
export function callForm(model: string): CallForm {
  return (generationOf(model) ?? Number.POSITIVE_INFINITY) < 3 ? FIRST_FORM : NEWEST_FORM;
}
