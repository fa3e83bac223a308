import { SourceError } from '../source';
import { Pages } from './pages';
import { readRecord, readVarint, type SqlValue } from './records';

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, SqlValue>>;

interface Table {
  root: number;
  columns: readonly string[];
  /** The column that is the number of the row. */
  rowId: string | undefined;
}

interface Leaf {
  page: Buffer;
  /** Where the header of the page begins, in bytes. */
  start: number;
  cells: number;
  done: number;
}

const [INTERIOR, LEAF] = [5, 13];
const MAX_DEPTH = 40;

/** Reads tables of a SQLite database row by row, without loading the file. */
export class Database {
  private readonly tables = new Map<string, Table>();

  private constructor(private readonly pages: Pages) {}

  static async open(path: string): Promise<Database> {
    const database = new Database(await Pages.open(path));
    const schema = { root: 1, columns: ['type', 'name', 'tbl_name', 'rootpage', 'sql'], rowId: undefined };
    for await (const { row } of database.rowsOf(schema)) {
      if (row.type === 'table') database.tables.set(String(row.name), tableOf(Number(row.rootpage), String(row.sql)));
    }
    return database;
  }

  /** The names of the columns; empty if there is no such table. */
  columns(table: string): readonly string[] {
    return this.tables.get(table)?.columns ?? [];
  }

  /** The rows in the order of their numbers, with the share of the database that was read so far. */
  async *rows(table: string): AsyncGenerator<{ row: Row; done: number }> {
    const found = this.tables.get(table);
    if (found) yield* this.rowsOf(found);
  }

  /** How many rows a table has, without reading them; 0 if there is no such table. */
  async count(table: string): Promise<number> {
    const found = this.tables.get(table);
    let count = 0;
    if (found) for await (const { cells } of this.leaves(found.root)) count += cells;
    return count;
  }

  /** A row by its number. */
  async find(table: string, id: unknown): Promise<Row | undefined> {
    const found = this.tables.get(table);
    if (!found || typeof id !== 'number') return undefined;
    let number = found.root;
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const page = await this.pages.page(number);
      const cells = page.readUInt16BE(3);
      if (page[0] === LEAF) {
        const places = Array.from({ length: cells }, (_, cell) => page.readUInt16BE(8 + cell * 2));
        const place = places.find((at) => readVarint(page, readVarint(page, at).end).value === id);
        return place === undefined ? undefined : this.readCell(found, page, place);
      }
      const places = Array.from({ length: cells }, (_, cell) => page.readUInt16BE(12 + cell * 2));
      const place = places.find((at) => readVarint(page, at + 4).value >= id);
      number = page.readUInt32BE(place ?? 8);
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.pages.close();
  }

  private async *rowsOf(table: Table): AsyncGenerator<{ row: Row; done: number }> {
    for await (const { page, start, cells, done } of this.leaves(table.root)) {
      for (let cell = 0; cell < cells; cell += 1) {
        yield { row: await this.readCell(table, page, page.readUInt16BE(start + 8 + cell * 2)), done };
      }
    }
  }

  /** The pages with rows below a page, which are the part between `from` and `to` of the table. */
  private async *leaves(number: number, part = { from: 0, to: 1 }, depth = 0): AsyncGenerator<Leaf> {
    if (depth > MAX_DEPTH) throw this.damaged(`the tables go in circles at page ${number}`);
    const page = await this.pages.page(number);
    const start = number === 1 ? 100 : 0;
    const type = page[start];
    const cells = page.readUInt16BE(start + 3);
    if (type === LEAF) yield { page, start, cells, done: part.from };
    else if (type === INTERIOR) {
      const children: number[] = [];
      for (let cell = 0; cell < cells; cell += 1) {
        children.push(page.readUInt32BE(page.readUInt16BE(start + 12 + cell * 2)));
      }
      children.push(page.readUInt32BE(start + 8));
      const width = (part.to - part.from) / children.length;
      for (const [at, child] of children.entries()) {
        const from = part.from + at * width;
        yield* this.leaves(child, { from, to: from + width }, depth + 1);
      }
    } else throw this.damaged(`page ${number} is no page of a table`);
  }

  private async readCell({ columns, rowId }: Table, page: Buffer, at: number): Promise<Row> {
    const length = readVarint(page, at);
    const id = readVarint(page, length.end);
    const values = readRecord(await this.payload(page, id.end, length.value));
    const row: Record<string, SqlValue> = {};
    for (const [index, name] of columns.entries()) row[name] = values[index] ?? null;
    if (rowId !== undefined && row[rowId] === null) row[rowId] = id.value;
    return row;
  }

  /** The bytes of a record, which may continue in overflow pages. */
  private async payload(page: Buffer, at: number, length: number): Promise<Buffer> {
    const usable = this.pages.size - this.pages.reserved;
    const most = usable - 35;
    if (length <= most) return page.subarray(at, at + length);
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length - least) % (usable - 4));
    const local = fitting <= most ? fitting : least;
    const parts = [page.subarray(at, at + local)];
    let next = page.readUInt32BE(at + local);
    for (let left = length - local; left > 0; ) {
      const overflow = await this.pages.page(next);
      const part = overflow.subarray(4, 4 + Math.min(left, usable - 4));
      parts.push(part);
      left -= part.length;
      next = overflow.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }

  private damaged(why: string): SourceError {
    return new SourceError(this.pages.path, `is damaged: ${why}`);
  }
}

/** Reads the columns of `CREATE TABLE`; constraints of the table come after them. */
function tableOf(root: number, sql: string): Table {
  const body = sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')'));
  const definitions = splitOutside(body).filter(
    (part) => !/^(PRIMARY\s+KEY|UNIQUE|CHECK|FOREIGN\s+KEY|CONSTRAINT)\b/i.test(part),
  );
  const columns = definitions.map(
    (part) => /^(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\]|(\w+))/.exec(part)?.slice(1).find(Boolean) ?? '',
  );
  const named = /(?:^|,)\s*(?:CONSTRAINT\s+\S+\s+)?PRIMARY\s+KEY\s*\(\s*["`[]?(\w+)["`\]]?\s*\)/i.exec(body)?.[1];
  const inline = definitions.findIndex((part) => /\bPRIMARY\s+KEY\b/i.test(part));
  const key = named ?? columns[inline];
  const isRowId = definitions.some((part, at) => columns[at] === key && /^\S+\s+INTEGER\b/i.test(part));
  return { root, columns, rowId: isRowId ? key : undefined };
}

/** Divides at commas that are not in brackets. */
function splitOutside(body: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] === '(') depth += 1;
    else if (body[at] === ')') depth -= 1;
    else if (body[at] === ',' && depth === 0) {
      parts.push(body.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, body.slice(from).trim()].filter((part) => part !== '');
}
