/** Where a client has a function that others know by its whole name. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}
