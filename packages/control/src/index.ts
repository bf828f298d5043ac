/**
 * Proxy-owned control tools: projection, reassertion, capture and completion.
 *
 * @packageDocumentation
 */
export {};
