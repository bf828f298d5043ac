import type { AuditFault, AuditHead, AuditRecord, AuditVerdict, VerifyOptions } from '../ports/audit-log.ts';
import { EMPTY_HEAD, isSealed, readRecord } from './audit-record.ts';

/** Walks a chain, one record after the other. */
export interface ChainCheck {
  /**
   * Takes the next record; `undefined` for one that cannot be read.
   *
   * @returns The verdict as soon as it is bad; nothing more has to be read then.
   */
  next(record: AuditRecord | undefined): AuditVerdict | undefined;
  /** Says that no record is left. */
  end(): AuditVerdict;
}

/**
 * Begins a check at the start of a chain.
 *
 * @param anchors - Heads that the chain has to contain.
 */
export function createChainCheck(anchors: readonly AuditHead[]): ChainCheck {
  let head: AuditHead = EMPTY_HEAD;
  const bad = (fault: AuditFault, seq: number): AuditVerdict => Object.freeze({ ok: false, seq, fault });
  return {
    next: (record) => {
      const seq = head.seq + 1;
      if (record === undefined) return bad('unreadable', seq);
      if (record.seq !== seq) return bad('sequence', seq);
      if (!isSealed(record)) return bad('digest', seq);
      if (record.previous !== head.digest) return bad('previous', seq);
      if (anchors.some((anchor) => anchor.seq === seq && anchor.digest !== record.digest))
        return bad('anchor', seq);
      head = Object.freeze({ seq, digest: record.digest });
      return undefined;
    },
    end: () => {
      if (anchors.some((anchor) => anchor.seq > head.seq)) return bad('truncated', head.seq + 1);
      return Object.freeze({ ok: true, head, records: head.seq });
    },
  };
}

/**
 * Checks an exported audit, without a database. Line feeds end lines; a last line without one counts as cut off.
 *
 * @param pieces - The text of the file in any pieces, such as a file stream with an encoding gives.
 */
export async function verifyExport(
  pieces: AsyncIterable<string> | Iterable<string>,
  { anchor }: VerifyOptions = {},
): Promise<AuditVerdict> {
  const check = createChainCheck(anchor === undefined ? [] : [anchor]);
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const verdict = check.next(readRecord(line));
      if (verdict !== undefined) return verdict;
    }
    // No record is that long, and a file without line feeds must not be collected whole.
    if (rest.length > MAX_LINE_LENGTH) break;
  }
  return (rest === '' ? undefined : check.next(undefined)) ?? check.end();
}

/** More than any record takes in UTF-16 units. */
const MAX_LINE_LENGTH = 65_536;
