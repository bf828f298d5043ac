// `npm test`: everything a fresh clone needs, then every check. The last line is `N passed, N failed`.
import { ensureInstalled } from './ensure.mjs';

ensureInstalled();
await import('./check.mjs');
