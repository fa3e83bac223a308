import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The configurations and programs that the console shows. */
export const WAYS_IN = join(__dirname, '../../console/public/ways-in');

/** One of the texts, with these values in the places of their names. */
export function fillText(name: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(WAYS_IN, `${name}.txt`), 'utf8');
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '');
}
