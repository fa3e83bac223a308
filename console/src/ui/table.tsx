import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../language';

export interface Column<T> {
  name: string;
  cell: (item: T) => ComponentChildren;
  /** For numbers and buttons. */
  right?: boolean;
  /** For a box to tick; its heading is only read. */
  isBox?: boolean;
  /** True if a phone, which shows no headings, names it before its content. */
  isNamed?: boolean;
  /** True if a phone shows it at the right of the first line, so that the others keep their places. */
  isCorner?: boolean;
  /** The key of an order; its heading sorts the rows. */
  sort?: string;
}

/** The order of rows: the key of a column, after `-` if it is descending. */
export type Order = string;

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (item: T) => string;
  blocks?: boolean;
  order?: Order;
  onOrder?: (order: Order) => void;
  isCompact?: boolean;
  /** The number of rows that are shown at first; a button shows the others. */
  most?: number;
}

/** A table; with `blocks` each row is a block on a phone. The arrow keys move between its rows. */
export function Table<T>({ most = Number.POSITIVE_INFINITY, rows, ...props }: TableProps<T>) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <Rows {...props} rows={isWhole ? rows : rows.slice(0, most)} />
      {!isWhole && rows.length > most && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          {t('Show all {n}', { n: rows.length })}
        </button>
      )}
    </>
  );
}

function Rows<T>({ caption, columns, rows, keyOf, blocks = true, order, onOrder, isCompact }: TableProps<T>) {
  return (
    // A table that is wider than a phone scrolls separately, by keyboard as well.
    <div class="scroll" {...(blocks ? {} : { tabIndex: 0, role: 'region', 'aria-label': caption })}>
      <table class={`table ${blocks ? 'blocks' : ''} ${isCompact ? 'compact' : ''}`}>
        <caption class="only-read">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.name} column={column} order={order} onOrder={onOrder} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveByArrows}>
          {rows.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ name, cell, right, isBox, isNamed, isCorner }) => (
                <td
                  key={name}
                  class={isBox ? 'box' : `${isCorner ? 'corner' : ''} ${right ? 'right numbers' : ''}`}
                  data-name={isNamed ? name : undefined}
                >
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

function Heading<T>({
  column: { name, right, sort, isBox },
  order,
  onOrder,
}: {
  column: Column<T>;
  order: Order | undefined;
  onOrder: ((order: Order) => void) | undefined;
}) {
  const isUp = sort !== undefined && order === sort;
  const isDown = sort !== undefined && order === `-${sort}`;
  return (
    <th scope="col" class={right ? 'right' : ''} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      {sort !== undefined && onOrder ? (
        <button type="button" class="sort" onClick={() => onOrder(isUp ? `-${sort}` : sort)}>
          {name}
          <span aria-hidden="true">{isUp ? ' ↑' : isDown ? ' ↓' : ''}</span>
        </button>
      ) : (
        <span class={isBox ? 'only-read' : ''}>{name}</span>
      )}
    </th>
  );
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  Home: () => 0,
  End: (_, last) => last,
};
const REACHED = 'a[href], button:not(:disabled), input[type="checkbox"]';

/** Moves the focus to the same link, button or box of another row. */
function moveByArrows(event: KeyboardEvent): void {
  const { key, target, currentTarget: body } = event;
  const step = STEPS[key];
  if (!step || !(body instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (!target.matches(REACHED) || target.closest('dialog')) return;
  const rows = [...body.children].map((row) => [...row.querySelectorAll<HTMLElement>(REACHED)]);
  const at = rows.findIndex((row) => row.includes(target));
  const row = rows[step(at, rows.length - 1)];
  const next = row?.[Math.min(rows[at]?.indexOf(target) ?? 0, row.length - 1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
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
  const [from, to] = [page * size + 1, page * size + count];
  return (
    <nav class="line" aria-label={t('Pages')}>
      <button type="button" class="button small-button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {t('Previous')}
      </button>
      <span class="quiet numbers">
        {total === undefined ? t('{from} to {to}', { from, to }) : t('{from} to {to} of {total}', { from, to, total })}
      </span>
      <button type="button" class="button small-button" disabled={isLast} onClick={() => onPage(page + 1)}>
        {t('Next')}
      </button>
    </nav>
  );
}
