/** The maintenance windows of an application; it decides itself who may see which. */
export interface Windows {
  readonly next: (
    service: string,
    options: { readonly user: string; readonly signal: AbortSignal },
  ) => Promise<{ readonly startsAt: string; readonly notes: string } | undefined>;
}
