import { api, ask, ROOT } from '../../api';
import { said } from '../../language';
import { type Resource, useResource } from '../../use-resource';

/** Something that sends data, and what to set up there. They are in `console/public/ways-in/ways.txt`, as JSON. */
export interface Way {
  name: string;
  title: string;
  /** For what else it is. */
  hint: string;
  group: string;
  /** It uploads to one sensor, by a program in this language. */
  language?: Language;
  /** It is set up on this page of the console. */
  page?: string;
  /** The protocol of the series that it makes. */
  source?: string;
  /** What to do there: texts with `code` and *words of the product*. */
  steps?: readonly string[];
  /** Names and values to fill in there. */
  settings?: readonly (readonly [name: string, value: string])[];
  /** The file with its configuration, without its ending. */
  text?: string;
  /** Where the configuration belongs. */
  file?: string;
}

/** A program that uploads to a sensor: the name of its file. */
export type Language = 'curl' | 'esp32' | 'esphome' | 'python' | 'node' | 'get';

export const LANGUAGES: readonly (readonly [Language, string])[] = [
  ['curl', 'curl'],
  ['esp32', 'ESP32'],
  ['esphome', 'ESPHome'],
  ['python', 'Python'],
  ['node', 'Node.js'],
  ['get', 'GET'],
];

/** All ways to bring data in. */
export function useWays(): Resource<Way[]> {
  return useResource('ways', async (signal) => JSON.parse(await load('ways', signal), translated));
}

/** Names and settings belong to other programs, and are not translated. */
function translated(name: string, value: unknown): unknown {
  const isText = typeof value === 'string' && (TRANSLATED.includes(name) || /^\d/.test(name));
  return isText ? said(value) : value;
}

const TRANSLATED = ['title', 'hint', 'group'];

/** A configuration or a program, with `{{names}}` to fill in. */
export function useText(name: string): Resource<string> {
  return useResource(`text ${name}`, (signal) => load(name, signal));
}

async function load(name: string, signal: AbortSignal): Promise<string> {
  return (await ask(api.fetch(`/console/ways-in/${name}.txt`, { signal }))).text();
}

const KEY = 'key_…';

/** Fills in the address of the platform, the key, and the sensor if there is one. */
export function fill(text: string, { key = KEY, sensor = '' }: { key?: string; sensor?: string }): string {
  const { protocol, hostname, port, pathname } = new URL(ROOT);
  const scheme = protocol.slice(0, -1);
  const isSecure = scheme === 'https';
  const values: Record<string, string> = {
    ...{ key, sensor, scheme, host: hostname, ssl: String(isSecure) },
    api: ROOT.replace(/\/$/, ''),
    root: pathname.replace(/\/$/, ''),
    port: port || (isSecure ? '443' : '80'),
    // Weather stations cannot use HTTPS.
    plainPort: isSecure ? '80' : port || '80',
  };
  return text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');
}

/** True if the address of the platform is that of this computer, which devices cannot use. */
export function isThisComputer(): boolean {
  return /^(localhost|127\.|\[::1\])/.test(window.location.hostname);
}
