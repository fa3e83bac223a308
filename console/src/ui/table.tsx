import type { ComponentChildren } from 'preact';

export interface Column<T> {
  name: string;
  cell: (item: T) => ComponentChildren;
  /** For numbers and buttons. */
  right?: boolean;
}

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (item: T) => string;
  blocks?: boolean;
}

/** A table; with `blocks` each row is a block on a phone. */
export function Table<T>({ caption, columns, rows, keyOf, blocks = true }: TableProps<T>) {
  return (
    // A table that is wider than a phone scrolls separately, by keyboard as well.
    <div class="scroll" {...(blocks ? {} : { tabIndex: 0, role: 'region', 'aria-label': caption })}>
      <table class={`table ${blocks ? 'blocks' : ''}`}>
        <caption class="only-read">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, right }) => (
              <th key={name} scope="col" class={right ? 'right' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ name, cell, right }) => (
                <td key={name} class={right ? 'right numbers' : ''}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Links to the previous and the next page. */
export function Pages({
  page,
  size,
  count,
  total,
  onPage,
}: {
  page: number;
  size: number;
  count: number;
  total?: number;
  onPage: (page: number) => void;
}) {
  const isLast = total === undefined ? count < size : (page + 1) * size >= total;
  if (page === 0 && isLast) return null;
  return (
    <nav class="line" aria-label="Pages">
      <button type="button" class="button small-button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span class="quiet numbers">
        {page * size + 1}–{page * size + count}
        {total !== undefined && ` of ${total}`}
      </span>
      <button type="button" class="button small-button" disabled={isLast} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
