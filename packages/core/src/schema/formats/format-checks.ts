/** The formats that are asserted; every other `format` is an annotation. Each check is linear in its text. */
export const formatChecks: ReadonlyMap<string, (text: string) => boolean> = new Map();
