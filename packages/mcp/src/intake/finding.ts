/** What about a definition a reviewer should look at. Nothing of it changes what a tool may do. */
export interface Finding {
  /**
   * `hidden-characters`: characters that are not seen, or change the direction of reading, and text behind so many blanks
   * that it is out of sight. `hidden-markup`: a comment, or an element, that a reader of formatted text does not see. `addresses-model`: text that tells the model what to do beyond the
   * tool. `over-long`: more text than a person reads. `slow-pattern`: a pattern that is not proved linear and runs on the
   * linear engine.
   */
  readonly kind: 'hidden-characters' | 'hidden-markup' | 'addresses-model' | 'over-long' | 'slow-pattern';
  /** Where in the definition as the server sent it (RFC 6901). */
  readonly pointer: string;
  /** In a few words; foreign text only escaped and shortened. */
  readonly detail: string;
}

/** Whether a finding says that a reader does not see what a model sees. */
export function isHidden(finding: Finding): boolean {
  return finding.kind === 'hidden-characters' || finding.kind === 'hidden-markup';
}
