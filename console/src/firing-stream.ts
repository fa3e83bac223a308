import { useEffect, useRef } from 'preact/hooks';
import { ROOT } from './api';

const listeners = new Set<() => void>();
let stream: EventSource | undefined;

/** Calls `act` when one of the user's triggers fires, or the user has done something about it; all that listen share a stream. */
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

/** To be called when the user has changed alerts: whatever shows them looks again. */
export function firingsChanged(): void {
  for (const listener of listeners) listener();
}

/** Goes on by itself when it is interrupted, but not once the session has ended. */
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
