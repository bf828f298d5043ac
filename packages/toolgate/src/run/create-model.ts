import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  createAnthropicModel,
  createGeminiModel,
  createOpenaiChatModel,
  createOpenaiResponsesModel,
  type Model,
  type NamedModelConfig,
} from '@toolgate/model';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { safeText } from '../terminal/safe-text.ts';

interface Provider {
  readonly create: (config: NamedModelConfig) => Model;
  /** The first one that is set is the key. */
  readonly keys: readonly string[];
  readonly baseUrl: string;
  /** What the provider's own clients leave out of that address. */
  readonly version: string;
}

const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  [
    'openai',
    { create: createOpenaiChatModel, keys: ['OPENAI_API_KEY'], baseUrl: 'OPENAI_BASE_URL', version: '' },
  ],
  [
    'openai-responses',
    { create: createOpenaiResponsesModel, keys: ['OPENAI_API_KEY'], baseUrl: 'OPENAI_BASE_URL', version: '' },
  ],
  [
    'anthropic',
    {
      create: createAnthropicModel,
      keys: ['ANTHROPIC_API_KEY'],
      baseUrl: 'ANTHROPIC_BASE_URL',
      version: '/v1',
    },
  ],
  [
    'gemini',
    {
      create: createGeminiModel,
      keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      baseUrl: 'GOOGLE_GEMINI_BASE_URL',
      version: '/v1beta',
    },
  ],
]);

/** The key for a server that is given by its address. A provider's own key is never sent there. */
const SERVER_KEY = 'TOOLGATE_API_KEY';

const INSTEAD =
  'Use a local server with --model http://localhost:11434/v1#MODEL, or a script with --model scripted:FILE.json.';

/** Where keys come from, and the folder that the path of a script starts from. */
export type ModelSurroundings = Pick<CliIo, 'env' | 'cwd'>;

/** A model, and what may not be said about it. */
export interface ChosenModel {
  readonly model: Model;
  /** For a redactor. */
  readonly secrets: readonly string[];
}

/**
 * Makes the model that `--model` names: `openai:NAME`, `openai-responses:NAME`, `anthropic:NAME`, `gemini:NAME`, the
 * address of a server that speaks OpenAI Chat Completions with `#NAME`, or `scripted:FILE.json`.
 *
 * @param turnsBefore - How many turns of a script were said before.
 * @throws CliError `cli/model-unknown`, `cli/model-key-missing`, `cli/script-invalid`; ModelError
 * `model/options-invalid`
 */
export async function createModel(
  spec: string,
  io: ModelSurroundings,
  turnsBefore = 0,
): Promise<ChosenModel> {
  if (/^https?:\/\//u.test(spec)) return createServerModel(spec, io);
  const colon = spec.indexOf(':');
  const [kind, name] = [spec.slice(0, colon), spec.slice(colon + 1)];
  if (colon > 0 && name !== '' && kind === 'scripted') {
    return { model: await createScripted(resolve(io.cwd, name), turnsBefore), secrets: [] };
  }
  const provider = PROVIDERS.get(kind);
  if (provider === undefined || name === '') {
    throw new CliError(
      'cli/model-unknown',
      `There is no model ${JSON.stringify(safeText(spec, 80))}: write ${[...PROVIDERS.keys()].join(':NAME, ')}:NAME, http://HOST/v1#NAME or scripted:FILE.json.`,
    );
  }
  const address = io.env[provider.baseUrl] ?? '';
  const apiKey = provider.keys.map((key) => io.env[key] ?? '').find((key) => key !== '');
  if (apiKey === undefined && address === '') {
    throw new CliError('cli/model-key-missing', `${provider.keys.join(' or ')} is not set. ${INSTEAD}`);
  }
  const model = provider.create({
    model: name,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(address === '' ? {} : { baseUrl: address.replace(/\/+$/u, '') + provider.version }),
  });
  return { model, secrets: apiKey === undefined ? [] : [apiKey] };
}

function createServerModel(spec: string, io: ModelSurroundings): ChosenModel {
  const hash = spec.indexOf('#');
  const [baseUrl, model] = [spec.slice(0, hash), spec.slice(hash + 1)];
  if (hash < 0 || model === '') {
    throw new CliError(
      'cli/model-unknown',
      'The address of a server is followed by # and the name of the model.',
    );
  }
  const apiKey = io.env[SERVER_KEY] ?? '';
  const key = apiKey === '' ? {} : { apiKey };
  return { model: createOpenaiChatModel({ model, baseUrl, ...key }), secrets: apiKey === '' ? [] : [apiKey] };
}

async function createScripted(path: string, turnsBefore: number): Promise<Model> {
  // Only a script needs it.
  const { createScriptedModel, readScript } = await import('@toolgate/testing');
  try {
    const script = readScript(await readFile(path));
    return createScriptedModel({ ...script, turns: script.turns.slice(turnsBefore) });
  } catch (cause) {
    const why = cause instanceof TypeError ? cause.message : 'the file cannot be read';
    throw new CliError('cli/script-invalid', `The script ${safeText(path, 200)}: ${safeText(why, 600)}.`, {
      cause,
    });
  }
}
