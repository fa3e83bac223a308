import { useEffect, useState } from 'preact/hooks';

/** The theme of the console: the system's, or the user's choice. */
export type Theme = 'auto' | 'light' | 'dark';

const STORED = 'theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

export function chosenTheme(): Theme {
  const stored = window.localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'auto') window.localStorage.removeItem(STORED);
  else window.localStorage.setItem(STORED, theme);
  applyTheme();
}

/** Applies the theme; called once before the first rendering, and after each change. */
export function applyTheme(): void {
  document.documentElement.dataset.theme = paintedTheme();
  for (const listener of listeners) listener();
}

function paintedTheme(): 'light' | 'dark' {
  const chosen = chosenTheme();
  if (chosen !== 'auto') return chosen;
  return system.matches ? 'dark' : 'light';
}

system.addEventListener('change', applyTheme);

/** The current theme; charts draw their own colours. */
export function usePaintedTheme(): 'light' | 'dark' {
  const [theme, setTheme] = useState(paintedTheme);
  useEffect(() => {
    const update = () => setTheme(paintedTheme());
    listeners.add(update);
    return () => {
      listeners.delete(update);
    };
  }, []);
  return theme;
}

/** The current colour of a token. */
export function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${token}`).trim();
}
