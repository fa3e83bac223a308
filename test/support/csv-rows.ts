import { parseCsv } from '../../src/points/data-points/csv';

/** The names of the columns, and the cells of each line by them. */
export function csvRows(text: string, separator: ',' | ';' = ',') {
  const [names = [], ...lines] = [...parseCsv(text, separator)].map(({ cells }) => cells ?? []);
  const rows = lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell])));
  return { names, rows };
}
