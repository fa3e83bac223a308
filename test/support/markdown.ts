import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A table of a page: its cells by the names of their columns, in lower case. */
export interface MarkdownTable {
  /** The heading that it stands under. */
  heading: string;
  rows: Record<string, string>[];
}

/** A fenced block of code, and the heading that it stands under. */
export interface CodeBlock {
  heading: string;
  language: string;
  text: string;
}

/** The text of a file of this repository, by its path from the root. */
export function readPage(path: string): string {
  return readFileSync(join(__dirname, '../..', path), 'utf8');
}

/** Every table of a page, in order. */
export function tablesIn(page: string): MarkdownTable[] {
  const tables: MarkdownTable[] = [];
  let heading = '';
  let columns: string[] | undefined;
  for (const line of withoutCode(page).split('\n')) {
    heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) columns = undefined;
    else if (!columns) {
      columns = cellsOf(line).map((cell) => cell.toLowerCase());
      tables.push({ heading, rows: [] });
    } else if (!/^[|: -]+$/.test(line)) {
      const cells = cellsOf(line);
      tables.at(-1)?.rows.push(Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])));
    }
  }
  return tables;
}

/** Every fenced block of code of a page, in order. */
export function codeBlocksIn(page: string): CodeBlock[] {
  const parts = /^#+ (?<heading>.*)$|^```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm;
  let heading = '';
  return [...page.matchAll(parts)].flatMap(({ groups = {} }) => {
    heading = groups.heading ?? heading;
    return groups.text === undefined ? [] : [{ heading, language: groups.language ?? '', text: groups.text }];
  });
}

/** The text in the first pair of backticks of a cell; undefined when there is none. */
export function codeIn(cell: string | undefined): string | undefined {
  return /`([^`]+)`/.exec(cell ?? '')?.[1];
}

function withoutCode(page: string): string {
  return page.replace(/^```[\s\S]*?^```$/gm, '');
}

/** A `\|` is a bar in a cell, as in every dialect that knows tables. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
}
