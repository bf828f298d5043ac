// The scripted model, unless the environment names a real one.
import { createScriptedModel } from '@toolgate/testing';
import { createModel } from 'toolgate';
import { script } from './conversation.mjs';

/** A model for each key, where `TOOLGATE_MODEL` names none. */
const DEFAULTS = [
  ['ANTHROPIC_API_KEY', 'anthropic:claude-sonnet-4-5'],
  ['OPENAI_API_KEY', 'openai:gpt-5-mini'],
  ['GEMINI_API_KEY', 'gemini:gemini-2.5-flash'],
];

/**
 * `TOOLGATE_MODEL` as for `toolgate run --model`; else a common model of a provider whose key is set; else the script.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Promise<{ model: import('@toolgate/model').Model, secrets: readonly string[], name: string }>}
 */
export async function chooseModel(env) {
  const [, common] = DEFAULTS.find(([key = '']) => (env[key] ?? '') !== '') ?? [];
  const name = env['TOOLGATE_MODEL'] || common;
  if (name === undefined)
    return { model: createScriptedModel(script), secrets: [], name: 'a scripted model' };
  return { ...(await createModel(name, { env, cwd: process.cwd() })), name };
}
