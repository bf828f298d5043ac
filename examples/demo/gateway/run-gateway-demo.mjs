// A gateway in front of a provider: four requests, and what the client, the gateway and the provider saw of each.
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createShow } from '../show.mjs';
import { startGatewayProcess } from './gateway-process.mjs';
import { startProvider } from './provider.mjs';
import { bodyOf, gatewayScenes } from './scenes.mjs';

/** @typedef {Readonly<Record<string, any>>} Json */

const CONFIG = fileURLToPath(new URL('../../gateway/toolgate.config.yaml', import.meta.url));

const TEAM_KEY = `tg_team_${randomBytes(24).toString('base64url')}`;
const REVIEWER_KEY = `tg_reviewer_${randomBytes(24).toString('base64url')}`;

/**
 * @param {Pick<import('../reviewers.mjs').DemoOptions, 'print' | 'colours' | 'signal'> & { readonly stay: boolean }} options
 * `stay`: whether the gateway is left running until the signal.
 */
export async function runGatewayDemo({ print, colours, signal, stay }) {
  const show = createShow(colours);
  const folder = await mkdtemp(join(tmpdir(), 'toolgate-demo-'));
  const provider = await startProvider();
  let staying = false;
  /** @type {Awaited<ReturnType<typeof startGatewayProcess>> | undefined} */
  let gateway;
  try {
    // The database of a gateway is where its configuration is, and nothing is to be left in the repository.
    const config = join(folder, 'toolgate.config.yaml');
    await copyFile(CONFIG, config);
    gateway = await startGatewayProcess({
      config,
      cwd: folder,
      env: {
        TEAM_KEY,
        REVIEWER_KEY,
        OPENAI_BASE_URL: provider.baseUrl,
        OPENAI_API_KEY: 'the-key-of-the-provider',
      },
      signal,
      onLine: (line) => {
        if (staying) print(show.event(line));
      },
    });
    const { url } = gateway;
    print(show.heading('4. A gateway: clients change their base URL, and nothing else'));
    print(show.note(`toolgate up examples/gateway/toolgate.config.yaml, at ${url}`));
    const verdicts = [];
    for (const [index, scene] of gatewayScenes.entries()) {
      signal.throwIfAborted();
      print(show.request(index + 1, scene));
      const { body, id } = await askAndApprove(url, scene, (text) => print(text), show);
      const seen = await callOf(url, id);
      print(show.sides({ scene, body, seen, provider: provider.requests.at(-1)?.body }));
      verdicts.push({
        verdict: seen?.['verdict'],
        reason: seen?.['reason'],
        message: body['choices']?.[0]?.message,
      });
    }
    const audit = await admin(url, 'POST', '/api/audit/verify', {});
    print(
      `\n${audit['records']} audit records, ${audit['ok'] === true ? 'one unbroken chain' : 'a broken chain'}\n`,
    );
    if (stay) {
      print(stayingText(url));
      staying = true;
      await Promise.race([
        gateway.exited,
        new Promise((resolve) => signal.addEventListener('abort', resolve)),
      ]);
    }
    return { verdicts, audit };
  } finally {
    await gateway?.stop();
    await provider.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Sends one request; where the call waits, a reviewer says yes through the admin API.
 * @param {string} url
 * @param {import('./scenes.mjs').GatewayScene} scene
 * @param {(text: string) => void} print
 * @param {ReturnType<typeof createShow>} show
 */
async function askAndApprove(url, scene, print, show) {
  const asked = fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEAM_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(scene)),
  });
  if (scene.waits === true) {
    // Should the request fail, it is this that tells, and not the question that never comes.
    const approval = await Promise.race([waitingCall(url), asked.then(() => undefined)]);
    if (approval !== undefined) {
      print(show.field('waits', `${approval['tool']} ${JSON.stringify(approval['request']?.arguments)}`));
      await admin(url, 'POST', `/api/approvals/${approval['id']}/approve`, {});
      print(show.field('reviewer', `toolgate approvals approve ${approval['id']}`));
    }
  }
  const response = await asked;
  return {
    id: response.headers.get('x-request-id') ?? '',
    body: /** @type {Json} */ (await response.json()),
  };
}

/** The call that waits, as a reviewer sees it. @param {string} url @returns {Promise<Json>} */
async function waitingCall(url) {
  for (;;) {
    const { items } = await admin(url, 'GET', '/api/approvals?status=pending');
    const [first] = items;
    if (first !== undefined) return admin(url, 'GET', `/api/approvals/${first.id}`);
    await pause(50);
  }
}

/** What the gateway noted about the call of a request; it writes in batches. @param {string} url @param {string} id */
async function callOf(url, id) {
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const { items } = await admin(url, 'GET', `/api/calls?requestId=${encodeURIComponent(id)}`);
    if (items.length > 0) return /** @type {Json} */ (items[0]);
    await pause(50);
  }
  return undefined;
}

/** @param {string} url @param {string} method @param {string} path @param {Json} [body] @returns {Promise<Json>} */
async function admin(url, method, path, body) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${REVIEWER_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} gave ${response.status}.`);
  return /** @type {Json} */ (await response.json());
}

/** @param {string} url */
function stayingText(url) {
  const scene = gatewayScenes.find(({ waits }) => waits === true) ?? gatewayScenes[0];
  const body = scene === undefined ? '{}' : JSON.stringify(bodyOf(scene)).replaceAll("'", "'\\''");
  return `
It stays up. In another terminal:

  export TOOLGATE_URL=${url} TOOLGATE_KEY=${TEAM_KEY} TOOLGATE_ADMIN_KEY=${REVIEWER_KEY}

  curl $TOOLGATE_URL/v1/chat/completions -H "Authorization: Bearer $TOOLGATE_KEY" -H 'Content-Type: application/json' \\
    -d '${body}'

  npx toolgate approvals watch
  npx toolgate approvals approve ID
  npx toolgate calls list
  npx toolgate audit verify

Ctrl-C ends it. \`npx toolgate up\` starts one for your own provider.

`;
}
