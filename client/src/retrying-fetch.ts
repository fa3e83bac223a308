/** How often and how long a request is tried again. */
export interface RetryOptions {
  /** Tries in all; 1 is no repetition. 5 if not given. */
  tries?: number;
  /** The longest pause between two tries, in seconds, whatever the platform asks for; 30 if not given. */
  longestPause?: number;
}

/** The same request again does no harm there, although it is a POST: points replace each other, and the others only look. */
const HARMLESS_POST = /\/(data|find|backtest|login|logout)(\?|$)/;

/**
 * A `fetch` that tries again after 429, 503 and a lost connection, when the same request twice does no harm. It waits as long as
 * `Retry-After` says, or else a little longer each time.
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

/** Waits for so many seconds; rejects when the signal aborts. */
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

/** 429 did nothing; after 503 it is unknown what was done. */
function mayPass(status: number, isHarmless: boolean): boolean {
  return status === 429 || (status === 503 && isHarmless);
}
