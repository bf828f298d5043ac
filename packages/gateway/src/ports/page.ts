/** Part of a list, newest first. Frozen. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where to go on; absent on the last page. Opaque. */
  readonly cursor?: string;
}

/** Which part of a list is asked for. */
export interface PageRequest {
  /** From the page before. */
  readonly cursor?: string;
  /** 1 to 500. Default 50. */
  readonly limit?: number;
}
