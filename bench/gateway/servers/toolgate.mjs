// The gateway as `toolgate up` builds it: keys, metrics, SQLite in a file, an audit of every call. The routes differ in what
// they do to a request.
import { join } from 'node:path';
import { createGateway, openStores, readConfig, readConfigValue, tuneProcess } from '../../../packages/gateway/dist/index.js';
import { report } from './report.mjs';

const [origin, folder, key] = process.argv.slice(2);
const route = (model, more = {}) => ({ model, candidates: [{ provider: 'bench' }], ...more });

const config = readConfig(
  readConfigValue({
    listen: { host: '127.0.0.1', port: 0 },
    keys: [{ id: 'bench', key, tools: { default: 'allow' } }],
    providers: { bench: { protocol: 'openai-chat', baseUrl: `${origin}/v1`, apiKey: 'upstream-key-0123456789' } },
    routes: [
      // Nothing has to be changed; calls are read, checked and recorded all the same.
      route('plain'),
      // One tool is taken out and the model has another name at the provider.
      route('edited', {
        candidates: [{ provider: 'bench', model: 'bench' }],
        firewall: { scope: { deny: ['find_1'] } },
      }),
      // The control tool is put in.
      route('control', { control: { tool: 'attempt_completion' } }),
      // The provider answers with nothing but one large call.
      route('held'),
    ],
    storage: { url: `sqlite:${join(folder, 'gateway.db')}` },
    audit: { allowedCalls: true },
  }),
  {},
);
tuneProcess();
const onError = (error) => process.stderr.write(`${error?.stack ?? error}\n`);
const stores = await openStores({ storage: config.storage, onError });
const gateway = await createGateway({ config, stores, onError });
const url = await gateway.listen();
report(Number(new URL(url).port));
