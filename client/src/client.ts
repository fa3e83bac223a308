import createFetchClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { ApiError } from './errors';
import type { components, paths } from './generated/api';
import { type DataPoint, itemsOfPages, listIn, PER_PAGE, type PointRange, pointsOfRange } from './paging';
import { passwordDigest } from './password';
import { type RetryOptions, retryAfter, retryingFetch } from './retrying-fetch';
import { type LiveFiring, type LiveMessage, type LivePoint, openStream, type StreamOptions } from './streams';
import { type BatchOptions, batches, type PointUpload } from './uploads';

type Schemas = components['schemas'];

export interface ClientOptions extends RetryOptions {
  /** Address of the platform; may be omitted in a page of the platform. */
  baseUrl?: string;
  /** The secret of a key, or an access token. */
  key?: string;
  /** The id of a session, from an earlier login. */
  session?: string;
  /** Leaves the session to the cookie, which scripts cannot read: for pages of the platform. */
  cookie?: boolean;
  /** The language of error texts, such as `de`; by default that of the platform, English, or of the browser. */
  language?: string;
  /** Sends requests, instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** The parts of a request besides its path: `params` (`path`, `query`), `body`, `signal`. */
export type CallInit<Method extends HttpMethod, Path extends PathsWithMethod<paths, Method>> = Optional<
  MaybeOptionalInit<paths[Path], Method>
>;

/** May be omitted if no part is required. */
type Optional<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];

/** The body of a successful response. */
type Answer<Operation> = Operation extends object
  ? NonNullable<FetchResponse<{ [Key in keyof Operation]: Operation[Key] }, object, 'application/json'>['data']>
  : never;

type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...init: CallInit<Method, Path>
) => Promise<Answer<paths[Path][Method]>>;

/** Paths of lists, which have pages. */
type ListPath = {
  [Path in PathsWithMethod<paths, 'get'>]: paths[Path]['get'] extends { parameters: { query?: { page?: number } } }
    ? Path
    : never;
}[PathsWithMethod<paths, 'get'>];

/** The item type of the list in a response. */
type ItemOf<Body> = Body extends object
  ? { [Key in keyof Body]-?: Body[Key] extends readonly (infer Item)[] ? Item : never }[keyof Body]
  : never;

/** Calls return the body of a successful response, and throw ApiError for any other. */
export interface Client {
  get: Call<'get'>;
  post: Call<'post'>;
  put: Call<'put'>;
  delete: Call<'delete'>;
  /**
   * Any request with the client's credential, for bodies that are not JSON: `/sensors/5/data.csv`. Throws ApiError like
   * the others.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The session id, if there is one. */
  readonly session: string | undefined;
  /** Logs in with a plain password, and sends the session with the requests that follow. Returns its id. */
  login(username: string, password: string): Promise<string>;
  logout(): Promise<void>;
  /** Creates a key; its `secret` is shown only once. */
  createKey(key: Schemas['NewKey']): Promise<Answer<paths['/keys']['post']>['key']>;
  /** The items of all pages of a list. */
  all<Path extends ListPath>(
    path: Path,
    ...init: CallInit<'get', Path>
  ): AsyncGenerator<ItemOf<Answer<paths[Path]['get']>>, void>;
  /** All data points of a sensor in order of date. */
  points(sensorId: string, range?: PointRange): AsyncGenerator<DataPoint, void>;
  /**
   * Stores points in as many requests as needed, and returns their number. Temporary failures are retried, which is
   * harmless.
   */
  upload(
    sensorId: string,
    points: Iterable<PointUpload> | AsyncIterable<PointUpload>,
    options?: BatchOptions,
  ): Promise<number>;
  /**
   * Streams points of sensors as they are stored. Continues after interruptions without a gap; throws StreamEnded when
   * the platform ends it.
   */
  live(sensorIds: string | readonly string[], options?: StreamOptions): AsyncGenerator<LiveMessage<LivePoint>, void>;
  /** Streams the firings of the user's triggers as they happen. */
  liveFirings(options?: StreamOptions): AsyncGenerator<LiveMessage<LiveFiring>, void>;
}

/** Any call: its types are checked by the caller. */
type AnyCall = (path: string, init?: object) => Promise<unknown>;
type Calls = Pick<Client, 'get' | 'post' | 'put' | 'delete'>;

/** Creates a client of a platform. It sends no request yet. */
export function createClient(options: ClientOptions = {}): Client {
  const { baseUrl = '', key, cookie = false, language } = options;
  const { fetch: send = (request: Request) => fetch(request) } = options;
  let session = options.session;
  const authenticated = (request: Request) => {
    if (key) request.headers.set('Authorization', `Bearer ${key}`);
    else if (session) request.headers.set('X-SESSION_ID', session);
    if (language) request.headers.set('Accept-Language', language);
    return send(request);
  };
  const persistent = retryingFetch(authenticated, options);
  const calls = callsOf(baseUrl, persistent);
  return {
    ...calls,
    ...listsAndPoints(calls),
    ...streams(baseUrl, authenticated),
    async fetch(path, init) {
      const response = await persistent(new Request(baseUrl + path, init));
      if (response.ok) return response;
      throw new ApiError(response.status, await response.json().catch(() => undefined), retryAfter(response));
    },
    get session() {
      return session;
    },
    async login(username, password) {
      const body = { username, password: passwordDigest(password) };
      const { session_id } = await calls.post('/login', { body });
      if (!cookie) session = session_id;
      return session_id;
    },
    async logout() {
      await calls.post('/logout');
      session = undefined;
    },
    createKey: async (given) => (await calls.post('/keys', { body: { key: given } })).key,
  };
}

function callsOf(baseUrl: string, send: (request: Request) => Promise<Response>): Calls {
  const api = createFetchClient<paths, 'application/json'>({ baseUrl, fetch: send });
  const request = api.request as (...of: unknown[]) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  const call =
    (method: HttpMethod): AnyCall =>
    async (path, init = {}) => {
      const { data, error, response } = await request(method, path, init);
      if (!response.ok) throw new ApiError(response.status, error, retryAfter(response));
      return data;
    };
  const calls = { get: call('get'), post: call('post'), put: call('put'), delete: call('delete') };
  return calls as unknown as Calls;
}

function listsAndPoints(calls: Calls): Pick<Client, 'all' | 'points' | 'upload'> {
  return {
    all: (path: string, init: { params?: { query?: object } } = {}) =>
      itemsOfPages(async (page) => {
        const query = { ...init.params?.query, page, per_page: PER_PAGE };
        const read = calls.get as unknown as AnyCall;
        const body = await read(path, { ...init, params: { ...init.params, query } });
        return listIn(Object(body)) as never[]; // of the type that the list of this path has
      }),
    points: (id, range = {}) =>
      pointsOfRange(range, async (query) => {
        const { data } = await calls.get('/sensors/{id}/data', { params: { path: { id }, query } });
        return data;
      }),
    async upload(id, points, given = {}) {
      let stored = 0;
      for await (const data of batches(id, points, given)) {
        const response = await calls.post('/sensors/{id}/data', { params: { path: { id } }, body: { data } });
        stored += response.data.accepted;
      }
      return stored;
    },
  };
}

function streams(baseUrl: string, send: (request: Request) => Promise<Response>): Pick<Client, 'live' | 'liveFirings'> {
  const stream = <Data>(path: string, { lastEventId, signal }: StreamOptions = {}) =>
    openStream<Data>((headers) => send(new Request(baseUrl + path, { headers, signal })), lastEventId, signal);
  return {
    live: (sensorIds, given) => {
      const ids = typeof sensorIds === 'string' ? [sensorIds] : sensorIds;
      const query = ids.map((id) => `sensor_id[]=${encodeURIComponent(id)}`).join('&');
      return stream<LivePoint>(`/sensors/data/stream?${query}`, given);
    },
    liveFirings: (given) => stream<LiveFiring>('/firings/stream', given),
  };
}
