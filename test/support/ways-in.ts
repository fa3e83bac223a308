import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The choices, configurations and programs that the console shows. */
export const WAYS_IN = join(__dirname, '../../console/public/ways-in');

type Values = Readonly<Record<string, string>>;

/** One of the texts, with these values in the places of their names. */
export function fillText(name: string, values: Values): string {
  return fill(readFileSync(join(WAYS_IN, `${name}.txt`), 'utf8'), values);
}

/** The settings of one of the choices, by their names, with these values in the places of their names. */
export function fillSettings(name: string, values: Values): Record<string, string> {
  const ways: { name: string; settings: [string, string][] }[] = JSON.parse(fillText('ways', values));
  return Object.fromEntries(ways.find((way) => way.name === name)?.settings ?? []);
}

/** The values for the platform at this URL. */
export function valuesFor(url: string, key: string): Values {
  const { protocol, hostname, port } = new URL(url);
  const scheme = protocol.slice(0, -1);
  return { api: url, root: '', scheme, host: hostname, port, plainPort: port, ssl: String(scheme === 'https'), key };
}

function fill(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '');
}
