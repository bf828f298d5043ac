import { createGateway, loadConfig, openStores } from '@toolgate/gateway';

/** Runs a gateway in a program of one's own. */
export async function startOwn(path: string, env: Readonly<Record<string, string>>) {
  // #region embed
  const config = await loadConfig(path, { env });
  const stores = await openStores({ storage: config.storage });
  const gateway = await createGateway({ config, stores, source: () => loadConfig(path, { env }) });
  const url = await gateway.listen();

  const close = async () => {
    await gateway.close();
    await stores.close();
  };
  // #endregion
  return { url, stores, close };
}
