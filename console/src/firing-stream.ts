import { useEffect, useRef } from 'preact/hooks';
import { ROOT } from './api';

const listeners = new Set<() => void>();
let stream: EventSource | undefined;

/**
 * Calls `act` when one of the user's triggers fires, or the user has acted on a firing. All listeners share a stream.
 */
export function useFirings(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listener = () => latest.current();
    listeners.add(listener);
    stream ??= open();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) close();
    };
  }, []);
}

/** Call this after the user has changed alerts: every view of them reloads. */
export function firingsChanged(): void {
  for (const listener of listeners) listener();
}

/** Reconnects automatically, but not once the session has ended. */
function open(): EventSource {
  const opened = new EventSource(`${ROOT}firings/stream`);
  opened.addEventListener('firing', firingsChanged);
  opened.addEventListener('end', ({ data }) => {
    if (JSON.parse(data).reason !== 'shutdown') close();
  });
  return opened;
}

function close(): void {
  stream?.close();
  stream = undefined;
}
