import { useEffect, useState } from 'preact/hooks';
import { ROOT } from './api';
import { mayLeave, unsaved } from './unsaved';

/** The path under which the console is served, with a slash at its end. */
const BASE = new URL(ROOT).pathname + (import.meta.env.DEV ? '' : 'console/');

/** The current address: a path without the base, and the query. */
export interface Place {
  path: string;
  query: URLSearchParams;
}

function current(): Place {
  const { pathname, search } = window.location;
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : '';
  return { path: `/${path.replace(/\/+$/, '')}`, query: new URLSearchParams(search) };
}

const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** The position of the shown page in the history, which each entry of the console has in its state. */
let position = positionOf(window.history.state);
/** The address of the shown page. */
let shown = addressNow();

function positionOf(state: unknown): number {
  return typeof state === 'object' && state !== null && 'position' in state ? Number(state.position) : 0;
}

function addressNow(): string {
  return window.location.pathname + window.location.search;
}

// The browser has already shown the other address, so staying on the page means going back to its own.
window.addEventListener('popstate', ({ state }) => {
  if (addressNow() === shown) return;
  if (!mayLeave()) {
    window.history.go(position - positionOf(state));
    return;
  }
  position = positionOf(state);
  shown = addressNow();
  hasMoved = true;
  notify();
});

window.addEventListener('beforeunload', (event) => {
  if (unsaved.size > 0) event.preventDefault();
});

/** True if the user has navigated since the last call. */
let hasMoved = false;

export function takeMove(): boolean {
  const moved = hasMoved;
  hasMoved = false;
  return moved;
}

/** The address of a page of the console. */
export function href(path: string): string {
  return BASE + path.replace(/^\//, '');
}

/** Navigates to a page; `replace` leaves no entry in the history. */
export function go(path: string, { replace = false } = {}): void {
  const address = href(path);
  if (!replace) position += 1;
  if (replace) window.history.replaceState({ position }, '', address);
  else window.history.pushState({ position }, '', address);
  shown = addressNow();
  if (!replace) hasMoved = true;
  notify();
  if (!replace) window.scrollTo(0, 0);
}

/**
 * Changes parameters of the query; an empty one is removed. The page stays where it is; with `isStep` the button Back
 * undoes the change.
 */
export function setQuery(changes: Record<string, string | undefined>, { isStep = false } = {}): void {
  const { path, query } = current();
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  if (isStep) enter();
  go(text ? `${path}?${text}` : path, { replace: true });
}

/** Adds an entry to the history, for the present address. */
function enter(): void {
  position += 1;
  window.history.pushState({ position }, '');
}

/** Renders again when the user navigates. */
export function usePlace(): Place {
  const [place, setPlace] = useState(current);
  useEffect(() => {
    const update = () => setPlace(current());
    listeners.add(update);
    update();
    return () => {
      listeners.delete(update);
    };
  }, []);
  return place;
}

/** Follows links inside the console without loading the page again. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download') || link.origin !== window.location.origin) return;
  if (!link.pathname.startsWith(BASE)) return;
  if (link.hash && link.pathname === window.location.pathname) return; // a place on this page: the browser handles it
  event.preventDefault();
  if (!mayLeave()) return;
  go(link.pathname.slice(BASE.length) + link.search);
}
