/** A step of a pipe as Valibot shows it: its name, what it is, and what it asks for. */
interface Action {
  readonly kind: string;
  readonly type: string;
  readonly async?: boolean;
  readonly requirement?: unknown;
}

/** What Valibot asks about a step or a schema. `jsonSchema` is what it said so far; with `errors` it cannot say this one. */
interface Asked {
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly errors?: readonly string[] | undefined;
}

/** Checks of a date and a time without seconds or an offset, which Valibot says in formats that want both. */
const MISNAMED: ReadonlySet<string> = new Set(['iso_time', 'iso_date_time']);
/**
 * Steps that leave a value as it is, or tidy a text. The steps behind them are said of what comes in, too: a text that would pass
 * only when it is tidied is refused.
 */
const KEEPING: ReadonlySet<string> = new Set([
  'brand',
  'flavor',
  'readonly',
  'trim',
  'trim_start',
  'trim_end',
  'to_lower_case',
  'to_upper_case',
  'normalize',
]);

/**
 * Conversion options for Valibot. What its own check does is no matter of the JSON Schema, since that check follows: a step
 * that only checks or tidies need not be said. No text would pass both `isoTime` and the format `time`, or `isoDateTime` and
 * `date-time`: the expression by which Valibot checks is said instead. An object that is open says so, and a list whose
 * further items would be dropped has none.
 */
export function valibotOptions(vendor: string): {
  readonly libraryOptions?: Readonly<Record<string, unknown>>;
} {
  return vendor === 'valibot' ? { libraryOptions: { overrideAction, overrideSchema } } : {};
}

function overrideAction(asked: Asked & { readonly valibotAction: Action }): unknown {
  const { valibotAction: action, jsonSchema, errors } = asked;
  if (MISNAMED.has(action.type) && action.requirement instanceof RegExp) {
    const { format: _, ...rest } = jsonSchema;
    return { pattern: action.requirement.source, ...rest };
  }
  if (errors === undefined || !isCheckedLater(action)) return undefined;
  const { pattern, ...rest } = jsonSchema;
  // Written before its flags were looked at; without them it is another expression.
  const isFlagged = action.requirement instanceof RegExp && pattern === action.requirement.source;
  return pattern === undefined || isFlagged ? rest : { ...rest, pattern };
}

function isCheckedLater({ kind, type, async }: Action): boolean {
  if (async === true) return false;
  return kind === 'validation' || kind === 'metadata' || KEEPING.has(type);
}

function overrideSchema(asked: Asked & { readonly valibotSchema: Omit<Action, 'kind'> }): unknown {
  const { valibotSchema, jsonSchema } = asked;
  if (valibotSchema.async === true)
    throw new TypeError('a part of it is asynchronous: checks with I/O belong in the handler');
  switch (valibotSchema.type) {
    case 'loose_object':
      return { ...jsonSchema, additionalProperties: {} };
    case 'tuple':
      return { ...jsonSchema, items: false };
    case 'record':
      // The names are said by `propertyNames`, whatever schema they have; Valibot only says so for texts.
      return { ...jsonSchema };
    default:
      return undefined;
  }
}
