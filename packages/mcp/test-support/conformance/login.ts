import {
  auth,
  ClientCredentialsProvider,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  PrivateKeyJwtProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

const CALLBACK = 'http://localhost:3000/callback';
/** Where the suite expects the document that stands for a client without registration. */
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** A login whose person says yes to everything. */
export interface Login {
  readonly provider: OAuthClientProvider;
  /** Remembers what a server says about how to log in. */
  readonly fetch: FetchLike;
  /** Whether a person was sent to a page of login since the last time. */
  readonly begun: () => boolean;
  /** Brings what the page of login gave back, and gets a token for it. */
  readonly finish: () => Promise<void>;
}

/** What a client was given beforehand. */
export interface Credentials {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly issuer?: string;
  readonly private_key_pem?: string;
}

/** A login as the credentials want it: as a client of its own, as a registered one, or as one that nobody knows. */
export function createLogin(serverUrl: string, credentials: Credentials): Login {
  const {
    client_id: clientId,
    client_secret: clientSecret,
    issuer,
    private_key_pem: privateKey,
  } = credentials;
  if (clientId !== undefined && privateKey !== undefined) {
    return loginAs(new PrivateKeyJwtProvider({ clientId, privateKey, algorithm: 'ES256' }));
  }
  if (clientId === undefined || clientSecret === undefined) return createPersonLogin(serverUrl, undefined);
  return issuer === undefined
    ? loginAs(new ClientCredentialsProvider({ clientId, clientSecret }))
    : createPersonLogin(serverUrl, { client_id: clientId, client_secret: clientSecret, issuer });
}

/** A login that takes no person. */
function loginAs(provider: OAuthClientProvider): Login {
  return { provider, fetch, begun: () => false, finish: async () => undefined };
}

function createPersonLogin(serverUrl: string, registered: StoredOAuthClientInformation | undefined): Login {
  let client = registered;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = '';
  let discovery: OAuthDiscoveryState | undefined;
  let callback: URLSearchParams | undefined;
  let hint: ReturnType<typeof extractWWWAuthenticateParams> = {};

  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    ...(registered === undefined ? { clientMetadataUrl: METADATA_URL } : {}),
    clientMetadata: {
      client_name: 'everything-client',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    },
    clientInformation: () => client,
    saveClientInformation: (given) => {
      client = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => {
      discovery = given;
    },
    discoveryState: () => discovery,
    redirectToAuthorization: async (page) => {
      const answer = await fetch(page, { redirect: 'manual' });
      callback = new URL(answer.headers.get('location') ?? CALLBACK).searchParams;
    },
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
      if (scope === 'all' || scope === 'client') client = registered;
      if (scope === 'all' || scope === 'discovery') discovery = undefined;
    },
  };

  return {
    provider,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (response.status === 401 || response.status === 403) hint = extractWWWAuthenticateParams(response);
      return response;
    },
    begun: () => callback !== undefined,
    finish: async () => {
      const [code, iss] = [callback?.get('code'), callback?.get('iss')];
      callback = undefined;
      await auth(provider, {
        serverUrl,
        authorizationCode: code ?? '',
        ...(iss === null || iss === undefined ? {} : { iss }),
        ...hint,
      });
      // Found out anew for the next login: the server may have moved to another authorization server.
      discovery = undefined;
    },
  };
}
