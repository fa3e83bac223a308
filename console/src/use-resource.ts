import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, Unreachable } from './api';

/** The state of a loaded resource. Data is kept during a reload. */
export interface Resource<T> {
  data: T | undefined;
  error: unknown;
  loading: boolean;
  reload(): void;
}

const RETRY_MS = 5_000;

/**
 * Loads when `key` changes, and every `everyMs`, while the page is visible. A temporary error (no connection, 429, 503)
 * is retried. `known` is data that was just loaded elsewhere.
 */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs, known }: { everyMs?: number; known?: T } = {},
): Resource<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: unknown; loading: boolean }>({
    key,
    data: known,
    loading: !known,
  });
  const [loads, setLoads] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => setLoads((before) => before + 1), []);

  useEffect(() => {
    if (known && loads === 0 && state.key === key) return;
    const abort = new AbortController();
    setState((before) => ({ key, data: before.key === key ? before.data : undefined, loading: true }));
    latest.current(abort.signal).then(
      (data) => !abort.signal.aborted && setState({ key, data, loading: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error, loading: false }));
      },
    );
    return () => abort.abort();
  }, [key, loads]);

  const { error } = state;
  useAgain(state, passes(error) ? RETRY_MS : everyMs, reload);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? error : undefined,
    loading: !isCurrent || state.loading,
    reload,
  };
}

/** Reloads after a pause, once the page is visible. */
function useAgain(state: { loading: boolean }, afterMs: number | undefined, reload: () => void): void {
  useEffect(() => {
    if (state.loading || afterMs === undefined) return;
    const timer = setTimeout(function again() {
      if (document.hidden) document.addEventListener('visibilitychange', reload, { once: true });
      else reload();
    }, afterMs);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', reload);
    };
  }, [state, afterMs, reload]);
}

/** True for a temporary error. */
function passes(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiError && [429, 502, 503, 504].includes(error.status));
}
