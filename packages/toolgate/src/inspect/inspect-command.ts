import { loadDefinitions } from '../definitions/load-definitions.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { formatReport } from './format-report.ts';
import { reportTools } from './tool-report.ts';

/** Options of `toolgate inspect`. */
export interface InspectOptions {
  readonly json: boolean;
  readonly details: boolean;
  readonly strict: boolean;
}

/**
 * Reports on every tool of a file.
 *
 * @returns The exit code: 1 when a tool has an error.
 */
export async function inspect(file: string, options: InspectOptions, io: CliIo): Promise<number> {
  const tools = reportTools(await loadDefinitions(file, io, { strict: options.strict }));
  const errors = tools.filter(({ faults }) => faults.length > 0).length;
  if (options.json) {
    await io.stdout.write(`${jsonText({ tools, summary: { tools: tools.length, errors } }, 2)}\n`);
  } else {
    const paint = createPaint(io.stdout, io.env);
    await io.stdout.write(formatReport(tools, { paint, width: io.stdout.columns, details: options.details }));
  }
  return errors === 0 ? 0 : 1;
}
