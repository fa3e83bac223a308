import { useState } from 'preact/hooks';

/** How a user wants the table of sensors. */
export interface View {
  /** Keys of columns. */
  columns: readonly string[];
  isCompact: boolean;
  size: number;
}

/** The key of a metatag's column begins with this. */
export const TAG = 'tag:';
/** Numbers of rows of a page. */
export const SIZES = [25, 50, 100, 250];
const STORED = 'sensors-view';
const FIRST: View = { columns: ['state', 'day', 'value', 'age'], isCompact: false, size: 25 };

/** The view that this browser stores. */
export function useView(): [View, (view: View) => void] {
  const [view, setView] = useState(read);
  const change = (next: View) => {
    localStorage.setItem(STORED, JSON.stringify(next));
    setView(next);
  };
  return [view, change];
}

/** What is stored may be of another version: fields of a wrong kind are replaced. */
function read(): View {
  const stored: Partial<View> = parsed(localStorage.getItem(STORED) ?? '');
  return {
    columns: Array.isArray(stored.columns) ? stored.columns.map(String) : FIRST.columns,
    isCompact: stored.isCompact === true,
    size: SIZES.find((size) => size === stored.size) ?? FIRST.size,
  };
}

function parsed(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
