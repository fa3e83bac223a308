import assert from 'node:assert/strict';
import { exportTable, type ListQuery } from '../../../src/api/table-export';
import type { Table } from '../../../src/api/tables';

const TABLE: Table = {
  ...{
    name: 'things',
    list: 'things',
    perPage: 3,
    columns: ['id', 'date', 'number', 'text'],
    dates: new Set(['date']),
  },
  rowsOf: (item) => [item as { id: string }],
};
const thing = (id: number) => ({
  id: String(id),
  date: 1_795_229_544.125,
  number: 1.5,
  text: id === 2 ? 'a;"b"' : null,
});

const exported = async (query: ListQuery, format: 'csv' | 'ndjson' = 'csv', total = 7) => {
  const asked: unknown[] = [];
  const { lines } = exportTable(TABLE, format, query, async (page) => {
    asked.push(page);
    const { page: at = 0, per_page: size = 100 } = page;
    return { things: Array.from({ length: total }, (_, id) => thing(id)).slice(at * size, (at + 1) * size), total };
  });
  const parts: string[] = [];
  for await (const part of lines) parts.push([...part].join(''));
  return { text: parts.join(''), parts: parts.length, asked };
};

describe('a list as lines', () => {
  it('has all pages, which are read one after the other', async () => {
    const { text, parts, asked } = await exported({});
    assert.equal(parts, 3);
    assert.deepEqual(asked, [
      { page: 0, per_page: 3, total: true },
      { page: 1, per_page: 3, total: false },
      { page: 2, per_page: 3, total: false },
    ]);
    const lines = text.split('\r\n');
    assert.deepEqual(lines.slice(0, 2), ['id,date,number,text', '0,1795229544.125,1.5,']);
    assert.deepEqual([lines.length, lines.at(-1)], [9, '']);
  });

  it('has the one page that is requested', async () => {
    const { text, asked } = await exported({ page: 1, per_page: 2 });
    assert.deepEqual(asked, [{ page: 1, per_page: 2 }]);
    assert.equal(text, 'id,date,number,text\r\n2,1795229544.125,1.5,"a;""b"""\r\n3,1795229544.125,1.5,\r\n');
  });

  it('has a header without items', async () => {
    assert.equal((await exported({}, 'csv', 0)).text, 'id,date,number,text\r\n');
    assert.equal((await exported({}, 'ndjson', 0)).text, '');
  });

  it('has the dates and decimal marks of a spreadsheet', async () => {
    const { text } = await exported({ dates: 'local', timezone: 'Europe/Berlin', separator: 'semicolon', bom: true });
    assert.deepEqual(text.split('\r\n').slice(0, 2), [
      '\ufeffid;date (Europe/Berlin);number;text',
      '0;2026-11-21 03:52:24;1,5;',
    ]);
    const iso = await exported({ dates: 'iso' });
    assert.match(iso.text, /^id,date,number,text\r\n0,2026-11-21T02:52:24.125Z,1.5,\r\n/);
  });

  it('has the records in NDJSON', async () => {
    const { text } = await exported({ dates: 'iso' }, 'ndjson', 2);
    assert.equal(text, `${JSON.stringify(thing(0))}\n${JSON.stringify(thing(1))}\n`);
  });

  it('is refused if it is too long, or the time zone is unknown', async () => {
    await assert.rejects(exported({}, 'csv', 100_001), /more than 100000 items/);
    await assert.rejects(exported({ timezone: 'Berlin' }), /must be the name of a time zone/);
  });
});
