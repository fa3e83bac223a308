import { migrations } from '../../../src/storage/migrations/all';
import type { Schema } from '../../../src/storage/migrations/schema';
import type { Value } from './sql-syntax';

export interface Column {
  name: string;
  nullable: boolean;
  /** `undefined`: a value must be given. */
  fallback: Value | undefined;
}

export interface TableShape {
  name: string;
  columns: Column[];
  autoIncrement: string | null;
  /** The primary key, then the unique ones. */
  keys: string[][];
}

/** The tables that the platform's own migrations create. */
export async function readShapes(): Promise<TableShape[]> {
  const reader = new ShapeReader();
  for (const { up } of migrations) await up(reader);
  return reader.shapes();
}

interface TableParts {
  columns: Column[];
  autoIncrement: string | null;
  /** Name of the index → its columns; the primary key first. */
  uniqueIndexes: Map<string, string[]>;
}

/** Applies the steps of migrations to shapes, which have columns, defaults and unique keys. */
class ShapeReader implements Schema {
  private readonly tables = new Map<string, TableParts>();

  shapes(): TableShape[] {
    return [...this.tables].map(([name, { columns, autoIncrement, uniqueIndexes }]) => ({
      name,
      columns,
      autoIncrement,
      keys: [...uniqueIndexes.values()],
    }));
  }

  async createTable(table: string, definition: string): Promise<void> {
    const parts: TableParts = { columns: [], autoIncrement: null, uniqueIndexes: new Map() };
    for (const part of splitTop(definition)) {
      const [, name = 'PRIMARY', columns] = /^(?:PRIMARY KEY|UNIQUE KEY (\w+)) \(([^)]*)\)/.exec(part) ?? [];
      if (columns !== undefined) parts.uniqueIndexes.set(name, namesOf(columns));
      else if (!/^(KEY|CONSTRAINT) /.test(part)) {
        const [column = '', rest = ''] = part.split(/\s+(.*)/s);
        parts.columns.push(columnOf(column, rest));
        if (/AUTO_INCREMENT/.test(rest)) parts.autoIncrement = column;
      }
    }
    this.tables.set(table, parts);
  }

  async dropTable(table: string): Promise<void> {
    this.tables.delete(table);
  }

  async addColumn(table: string, column: string, definition: string): Promise<void> {
    this.partsOf(table).columns.push(columnOf(column, definition));
  }

  async dropColumn(table: string, column: string): Promise<void> {
    const parts = this.partsOf(table);
    parts.columns = parts.columns.filter(({ name }) => name !== column);
  }

  async addUniqueIndex(table: string, index: string, columns: readonly string[]): Promise<void> {
    this.partsOf(table).uniqueIndexes.set(index, [...columns]);
  }

  async addIndex(): Promise<void> {}

  async dropIndex(table: string, index: string): Promise<void> {
    this.partsOf(table).uniqueIndexes.delete(index);
  }

  async changeRows(): Promise<void> {}

  async compressPages(): Promise<void> {}

  async decompressPages(): Promise<void> {}

  private partsOf(table: string): TableParts {
    const parts = this.tables.get(table);
    if (!parts) throw new Error(`a migration changes ${table}, which no migration before it creates`);
    return parts;
  }
}

function namesOf(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

function columnOf(name: string, definition: string): Column {
  const nullable = !/NOT NULL/.test(definition);
  return { name, nullable, fallback: fallbackOf(definition, nullable) };
}

function fallbackOf(definition: string, nullable: boolean): Value | undefined {
  const text = /DEFAULT '([^']*)'/.exec(definition)?.[1];
  if (text !== undefined) return text;
  const word = /DEFAULT (\w+)/.exec(definition)?.[1];
  if (word === undefined || word === 'NULL') return nullable ? null : undefined;
  if (word === 'TRUE') return 1;
  return word === 'FALSE' ? 0 : Number(word);
}

/** Splits at the commas outside of brackets. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (text[at] !== ',' || depth > 0) continue;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
  }
  return [...parts, text.slice(start).trim()].filter((part) => part !== '');
}
