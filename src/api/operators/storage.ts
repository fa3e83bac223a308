import type { StoreSize, TableGroup } from '../../operators/store-size';
import { type Html, html } from '../../platform/html';
import { bytes, table } from './parts';

const GROUPS: Readonly<Record<TableGroup, string>> = {
  points: 'Points',
  firings: 'Firings',
  deliveries: 'Deliveries and their attempts',
  waiting: 'What waits, and changes for streams',
  others: 'Everything else',
};

export function storage(size: StoreSize | undefined): Html {
  if (!size) return html`<p class="quiet">MySQL does not say now how large it is.</p>`;
  const { tables, redisBytes, disk } = size;
  const groups = Object.entries(GROUPS).map(
    ([group, name]) => [name, tables.get(group as TableGroup) ?? 0] as const, // it is a key of the object
  );
  const total = groups.reduce((sum, [, one]) => sum + one, 0);
  const rows: (readonly [string | Html, string])[] = [
    ...groups.map(([name, one]) => [name, bytes(one)] as const),
    [html`<strong>All tables of MySQL</strong>`, bytes(total)],
    ['Memory that Redis uses', redisBytes === undefined ? '–' : bytes(redisBytes)],
    ['Free on the disk with DATA_DIR', disk ? `${bytes(disk.freeBytes)} of ${bytes(disk.bytes)}` : '–'],
  ];
  return html`${table(
    'Storage',
    ['What', 'Size'],
    rows.map(([name, text]) => html`<tr><td>${name}</td><td class="number">${text}</td></tr>`),
  )}
<p class="quiet small">Tables count with their indexes, as MySQL estimates them: MySQL 8 may be a day late. The sizes are read at most every five minutes. The files of MySQL may be on another disk than <code>DATA_DIR</code>.</p>`;
}
