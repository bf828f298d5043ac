const MAX_CAUSES = 16;

/** The codes of an error and of its causes, outermost first. Safe on everything that can be thrown. */
export function errorCodes(thrown: unknown): readonly string[] {
  const codes: string[] = [];
  let error = thrown;
  try {
    for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth += 1) {
      const code: unknown = Reflect.get(error, 'code');
      if (typeof code === 'string') codes.push(code);
      error = error.cause;
    }
  } catch {
    // What cannot be read has no code.
  }
  return codes;
}
