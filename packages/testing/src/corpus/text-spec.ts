/** A piece of a text: itself, a repeated text, or one UTF-16 code unit (for half a surrogate pair). */
export type TextPiece =
  | string
  | { readonly repeat: string; readonly times: number }
  | { readonly unit: number };

/** A text as data. Pieces keep huge texts short and let a well-formed file carry ill-formed text. */
export type TextSpec = string | readonly TextPiece[];

/** The text that a {@link TextSpec} stands for. */
export function textOf(spec: TextSpec): string {
  if (typeof spec === 'string') return spec;
  return spec
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      return 'unit' in piece ? String.fromCharCode(piece.unit) : piece.repeat.repeat(piece.times);
    })
    .join('');
}
