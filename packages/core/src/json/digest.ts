/** `sha256:` and 64 lower-case hexadecimal digits: SHA-256 of the canonical JSON (RFC 8785) of a value. */
export type Digest = `sha256:${string}`;
