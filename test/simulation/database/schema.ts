import { migrations } from '../../../src/migrations';
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

/** The tables that the platform's own migrations make. */
export async function readShapes(): Promise<TableShape[]> {
  const shapes = new Map<string, TableShape>();
  for (const { up } of migrations) await up(async (sql) => apply(sql, shapes));
  return [...shapes.values()];
}

function apply(sql: string, shapes: Map<string, TableShape>): void {
  const created = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+) \((.*)\) ENGINE/s.exec(sql.trim());
  if (created?.[1] !== undefined) {
    shapes.set(created[1], shapeOf(created[1], splitTop(created[2] ?? '')));
    return;
  }
  const altered = /^ALTER TABLE (\w+) (.*)$/s.exec(sql.trim());
  const shape = shapes.get(altered?.[1] ?? '');
  for (const change of splitTop(altered?.[2] ?? '')) {
    const column = /^ADD COLUMN (.*)$/s.exec(change)?.[1];
    const key = /^ADD UNIQUE KEY \w+ \(([^)]*)\)/.exec(change)?.[1];
    if (shape && column !== undefined) shape.columns.push(columnOf(column));
    if (shape && key !== undefined) shape.keys.push(namesOf(key));
  }
}

function shapeOf(name: string, parts: string[]): TableShape {
  const shape: TableShape = { name, columns: [], autoIncrement: null, keys: [] };
  for (const part of parts) {
    const key = /^(?:PRIMARY KEY|UNIQUE KEY \w+) \(([^)]*)\)/.exec(part)?.[1];
    if (key !== undefined) shape.keys.push(namesOf(key));
    else if (!/^(KEY|CONSTRAINT|FULLTEXT|INDEX) /.test(part)) {
      const column = columnOf(part);
      shape.columns.push(column);
      if (/AUTO_INCREMENT/.test(part)) shape.autoIncrement = column.name;
      if (/PRIMARY KEY/.test(part)) shape.keys.push([column.name]);
    }
  }
  return shape;
}

function namesOf(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}

function columnOf(definition: string): Column {
  const nullable = !/NOT NULL/.test(definition);
  return { name: definition.split(/\s/)[0] ?? '', nullable, fallback: fallbackOf(definition, nullable) };
}

function fallbackOf(definition: string, nullable: boolean): Value | undefined {
  const text = /DEFAULT '([^']*)'/.exec(definition)?.[1];
  if (text !== undefined) return text;
  const word = /DEFAULT (\w+)/.exec(definition)?.[1];
  if (word === undefined || word === 'NULL') return nullable ? null : undefined;
  if (word === 'TRUE') return 1;
  return word === 'FALSE' ? 0 : Number(word);
}

/** Cuts at the commas that stand in no brackets. */
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
