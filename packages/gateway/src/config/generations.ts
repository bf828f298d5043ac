/** One configuration at work, with everything built from it. */
export interface Generation<Content> {
  /** 1 for the first one. */
  readonly number: number;
  readonly content: Content;
}

/** A generation that somebody uses; it is not taken down before all of these were released. */
export interface Lease<Content> extends Generation<Content> {
  /** Says that it is no longer used. Only the first call counts. */
  release(): void;
}

/** What became of a reload. */
export type ReloadResult =
  | { readonly kind: 'published'; readonly number: number }
  /** The new one could not be built; the last good one goes on serving. */
  | { readonly kind: 'refused'; readonly number: number; readonly error: unknown };

/** How generations are made and taken down. */
export interface GenerationsOptions<Source, Content> {
  /** Builds one completely, or throws and leaves nothing behind. */
  readonly build: (source: Source, number: number) => Promise<Content>;
  /** Takes one down that nobody uses any more; what it throws goes to `onError`. */
  readonly retire: (content: Content) => Promise<void>;
  readonly onError?: (error: unknown) => void;
}

/** Holds the generation that serves, and those that requests in flight still use. */
export interface Generations<Source, Content> {
  /** The one that serves now. */
  readonly current: Generation<Content>;
  /** Keeps the current generation for one request. */
  lease(): Lease<Content>;
  /** Builds a new one and swaps it in; a bad one leaves the last good one. Calls run one after the other. */
  reload(source: Source): Promise<ReloadResult>;
  /** Settles when the last generation was taken down, after its last lease. Refuses reloads from now on. */
  close(): Promise<void>;
}
