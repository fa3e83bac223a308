/** Written by the build: the files of the console, relative to its root, and a hash of all of them. */
declare const SHELL: { version: string; files: readonly string[] };

/** The page of every address; the files that it loads have hashes in their names. */
const PAGE = './';
const FILES: ReadonlySet<string> = new Set(SHELL.files);

/** The root is part of the name: several consoles may share an origin. */
function prefixOf(root: string): string {
  return `console ${root} `;
}

function cacheOf(root: string): Promise<Cache> {
  return caches.open(`${prefixOf(root)}${SHELL.version}`);
}

/** Stores the files of this version: public ones only, fetched without credentials, and never data of the API. */
export async function store(root: string): Promise<void> {
  const cache = await cacheOf(root);
  await cache.addAll(SHELL.files.map((file) => requestOf(root, file)));
  await cache.put(new URL(PAGE, root), await atAnyAddress(root, await fetch(requestOf(root, PAGE))));
}

function requestOf(root: string, file: string): Request {
  return new Request(new URL(file, root), { cache: 'reload', credentials: 'omit' });
}

/** The page for all addresses: the links of the page from the platform are relative to one of them. */
async function atAnyAddress(root: string, response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`the page was answered with ${response.status}`);
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const page = (await response.text()).replaceAll('"../console/', `"${new URL(root).pathname}`);
  return new Response(page, { headers });
}

export async function removeOtherVersions(root: string): Promise<void> {
  const prefix = prefixOf(root);
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== prefix + SHELL.version);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/**
 * The answer to a request for the console: a file from the cache, or the page from the platform, or from the cache if the
 * platform cannot be reached. Undefined for all other requests, which the browser sends as usual.
 */
export function answerFor(request: Request, root: string): Promise<Response> | undefined {
  const { method, mode, url } = request;
  if (method !== 'GET' || !url.startsWith(root)) return undefined;
  if (mode === 'navigate') return fetch(request).catch(() => stored(root, PAGE));
  const file = url.slice(root.length);
  return FILES.has(file) ? stored(root, file) : undefined;
}

/** A stored file; if the browser has removed it, from the platform. */
async function stored(root: string, file: string): Promise<Response> {
  const url = new URL(file, root).href;
  const cache = await cacheOf(root);
  return (await cache.match(url, { ignoreVary: true })) ?? fetch(url);
}
