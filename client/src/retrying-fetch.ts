/** Limits of retries. */
export interface RetryOptions {
  /** Maximum number of tries; 1 means no retry. 5 by default. */
  tries?: number;
  /** Maximum pause between two tries, in seconds, even if the platform asks for more; 30 by default. */
  longestPause?: number;
}

/**
 * Repeating these requests is harmless although they are POST: points replace each other, and the others change
 * nothing.
 */
const HARMLESS_POST = /\/(data|find|backtest|login|logout)(\?|$)/;

/**
 * A `fetch` that retries after 429, 503 and a lost connection, if a repetition is harmless. It waits for `Retry-After`,
 * otherwise a little longer each time.
 */
export function retryingFetch(send: (request: Request) => Promise<Response>, options: RetryOptions = {}) {
  const { tries = 5, longestPause = 30 } = options;
  return async (request: Request): Promise<Response> => {
    const isHarmless = request.method !== 'POST' || HARMLESS_POST.test(request.url);
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= tries;
      const response = await send(isLast ? request : request.clone()).catch((error: unknown) => {
        if (isLast || !isHarmless || request.signal.aborted) throw error;
        return undefined;
      });
      if (response && (isLast || !mayPass(response.status, isHarmless))) return response;
      await response?.body?.cancel();
      const asked = retryAfter(response);
      await pause(Math.min(asked ?? 0.25 * 2 ** attempt, longestPause) * (1 + Math.random() / 4), request.signal);
    }
  };
}

/** The seconds in `Retry-After`. */
export function retryAfter(response: Response | undefined): number | undefined {
  const given = response?.headers.get('Retry-After');
  return given ? Number(given) || undefined : undefined;
}

/** Waits for a number of seconds; rejects when the signal aborts. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** After 429 nothing was done; after 503 this is unknown. */
function mayPass(status: number, isHarmless: boolean): boolean {
  return status === 429 || (status === 503 && isHarmless);
}
