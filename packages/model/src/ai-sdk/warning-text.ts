import type { SharedV4Warning } from '@ai-sdk/provider';
import { quoted } from '../driver/status-error.ts';

/** A provider's warning as one short line. */
export function warningText(warning: SharedV4Warning): string {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility':
      return quoted(
        warning.details === undefined ? warning.feature : `${warning.feature}: ${warning.details}`,
        [],
      );
    case 'deprecated':
      return quoted(`${warning.setting}: ${warning.message}`, []);
    case 'other':
      return quoted(warning.message, []);
  }
}
