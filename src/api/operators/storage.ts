import type { StoreSize, TableGroup } from '../../operators/store-size';
import { type Html, html } from '../../platform/html';
import type { PlainText } from '../../platform/words/words';
import type { PageWriter } from './parts';

const GROUPS: Readonly<Record<TableGroup, PlainText>> = {
  points: 'Points',
  firings: 'Firings',
  deliveries: 'Deliveries and their attempts',
  waiting: 'What waits, and changes for streams',
  others: 'Everything else',
};

export function storage(size: StoreSize | undefined, writer: PageWriter): Html {
  if (!size) return writer.quiet('MySQL does not say now how large it is.');
  const { words } = writer;
  const { tables, redisBytes, disk } = size;
  const groups = Object.entries(GROUPS).map(
    ([group, name]) => [words.t(name), tables.get(group as TableGroup) ?? 0] as const, // it is a key of the object
  );
  const total = groups.reduce((sum, [, one]) => sum + one, 0);
  const free = disk && { free: writer.bytes(disk.freeBytes), all: writer.bytes(disk.bytes) };
  const rows: (readonly [string | Html, string])[] = [
    ...groups.map(([name, one]) => [name, writer.bytes(one)] as const),
    [html`<strong>${words.t('All tables of MySQL')}</strong>`, writer.bytes(total)],
    [words.t('Memory that Redis uses'), redisBytes === undefined ? '–' : writer.bytes(redisBytes)],
    [words.t('Free on the disk with DATA_DIR'), free ? words.t('{free} of {all}', free) : '–'],
  ];
  return html`${writer.table(
    'Storage',
    ['What', 'Size'],
    rows.map(([name, text]) => html`<tr><td>${name}</td><td class="number">${text}</td></tr>`),
  )}
${writer.note(words.tx('Tables count with their indexes, as MySQL estimates them: MySQL 8 may be a day late. The sizes are read at most every five minutes. The files of MySQL may be on another disk than {dir}.', { dir: html`<code>${'DATA_DIR'}</code>` }))}`;
}
