/** A decoded response. Bodies are whatever the server sent: tests look into them freely. */
export interface ApiResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape; a type here would only repeat it
  body: any;
  headers: Headers;
}

export interface Api {
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
}

/** The whole body; of a stream, which has no end, what comes first. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value);
}

/** Sends JSON to a running platform and reads JSON back; `headers` go with every request. */
export function apiClient(url: string, headers: Record<string, string> = {}): Api {
  const send = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers, ...more },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await readText(response);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  };
  return {
    get: (path, more) => send('GET', path, undefined, more),
    post: (path, body, more) => send('POST', path, body, more),
    put: (path, body, more) => send('PUT', path, body, more),
    delete: (path, body, more) => send('DELETE', path, body, more),
  };
}
