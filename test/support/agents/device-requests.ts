import assert from 'node:assert/strict';
import { codeBlocksIn } from '../markdown';

/** A request of a device as a page shows it, with the status of the answer and what is stored then. */
export interface DeviceRequest {
  heading: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  /** The name of a series, or `sensor` and an id; and the value. */
  stored: { name: string; value: string }[];
}

const FIRST = /^(?<method>GET|POST) (?<path>\/\S*)$/;
/** How the page writes a key. */
const KEY = 'key_…';
const BASIC = /^Basic (\S+)$/;

/** The requests in the `http` blocks of a page. Parts are separated by empty lines: request, body, answer. */
export function deviceRequestsIn(page: string): DeviceRequest[] {
  return codeBlocksIn(page)
    .filter(({ language }) => language === 'http')
    .map(({ heading, text }) => readRequest(heading, text.trim().split(/\n{2,}/)));
}

function readRequest(heading: string, parts: string[]): DeviceRequest {
  const [first = '', ...headers] = (parts[0] ?? '').split('\n');
  const [status, ...stored] = (parts.at(-1) ?? '').split('\n');
  const { method, path } = FIRST.exec(first)?.groups ?? assert.fail(`under ${heading}: no request in ${first}`);
  return {
    ...{
      heading,
      method: method ?? '',
      path: path ?? '',
      body: parts.slice(1, -1).join('\n\n'),
      status: Number(status),
    },
    headers: Object.fromEntries(headers.map((line) => split(line, ': '))),
    stored: stored.map((line) => split(line, ': ')).map(([name, value]) => ({ name, value })),
  };
}

/** The request with a key and the id of a sensor in the places of those that the page shows. */
export function filled(request: DeviceRequest, key: string, sensorId: string): DeviceRequest {
  const fill = (text: string) => text.replaceAll(KEY, key).replace('/sensors/42/', `/sensors/${sensorId}/`);
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const basic = BASIC.exec(value)?.[1];
    return [name, basic ? `Basic ${Buffer.from(fill(basic)).toString('base64')}` : fill(value)];
  });
  return { ...request, path: fill(request.path), body: fill(request.body), headers: Object.fromEntries(headers) };
}

function split(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  assert.ok(at > 0, `no "${separator}" in ${line}`);
  return [line.slice(0, at), line.slice(at + separator.length)];
}
