import { useEffect, useRef, useState } from 'preact/hooks';
import { hasSessionEnded, useUser, whenUserLeaves } from './session';

/**
 * Unsaved input of forms when a session ended, by user, page and form. It is in the memory of this window only, and
 * contains no secrets.
 */
const drafts = new Map<string, unknown>();
whenUserLeaves(() => drafts.clear());

/** A form state that outlives the end of the session: it is restored when the same user signs in again. */
export function useDraft<T>(form: string, initial: T | (() => T)): [T, (value: T) => void] {
  const { id } = useUser();
  const [key] = useState(() => `${id} ${window.location.pathname} ${form}`);
  const [value, setValue] = useState<T>(() => (drafts.has(key) ? (drafts.get(key) as T) : start(initial))); // set below
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    drafts.delete(key);
    return () => {
      if (hasSessionEnded()) drafts.set(key, latest.current);
    };
  }, [key]);
  return [value, setValue];
}

function start<T>(initial: T | (() => T)): T {
  return initial instanceof Function ? initial() : initial;
}
