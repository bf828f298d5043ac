import { quoteShort } from '../json/quote-short.ts';
import { ContractError } from './contract-error.ts';

const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'title',
  'input',
  'output',
  'annotations',
  'profile',
  'privileged',
  'resultBudget',
  'available',
  'unknownMembers',
  'maxArgumentBytes',
  'execute',
]);

const REQUIRED: ReadonlySet<string> = new Set(['name', 'description', 'input', 'execute']);

/**
 * A copy of the configuration of a tool whose fields are known and given, each read once.
 *
 * @throws {@link ContractError} `tool/options-invalid`, with the fix.
 */
export function checkToolConfig<Config extends object>(config: Config): Config {
  if (typeof config !== 'object' || config === null) throw invalid('defineTool takes an object.');
  const copy = { ...config };
  for (const [name, value] of Object.entries(copy)) {
    if (!FIELDS.has(name)) {
      throw invalid(`defineTool does not know ${quoteShort(name, 40)}; it takes ${[...FIELDS].join(', ')}.`);
    }
    // Written down, it was meant to say something; guessing what would widen or drop a policy.
    if (value === undefined || value === null) {
      const fix = REQUIRED.has(name) ? 'every tool needs one' : 'leave it out for the default';
      throw invalid(`${name} is ${value}; ${fix}.`);
    }
  }
  const field = (name: string): unknown => Reflect.get(copy, name);
  if (field('input') === undefined) {
    throw invalid(
      "input is missing; a tool without arguments has { type: 'object', additionalProperties: false }.",
    );
  }
  if (typeof field('execute') !== 'function')
    throw invalid('execute has to be the function that does the work.');
  checkOptional(
    field('available'),
    'function',
    'available has to be a function from the context to a boolean.',
  );
  checkOptional(field('privileged'), 'boolean', 'privileged has to be true or false.');
  const members = field('unknownMembers');
  if (members !== undefined && members !== 'refuse' && members !== 'allow') {
    throw invalid("unknownMembers has to be 'refuse' or 'allow'.");
  }
  return copy;
}

function checkOptional(value: unknown, type: 'function' | 'boolean', message: string): void {
  if (value !== undefined && typeof value !== type) throw invalid(message);
}

function invalid(message: string): ContractError {
  return new ContractError('tool/options-invalid', message);
}
