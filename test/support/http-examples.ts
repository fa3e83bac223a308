import assert from 'node:assert/strict';
import { codeBlocksIn } from './markdown';
import type { Platform } from './platform';

/** A documented request and its expected response, whose objects may have more fields than documented. */
export interface Exchange {
  heading: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body: string;
  status: number;
  response: string;
}

const REQUEST = /^(?<method>GET|POST|PUT|DELETE) (?<path>\/\S*)$/;
const HOUR = 3_600;
const WEEK = 7 * 24 * HOUR;
const STATUS = /^(?<status>\d{3})(?: (?<start>.*))?$/;

/** The exchanges in the `http` blocks of a page. They are separated by empty lines; `<name>` stands for an id, or for a date. */
export function exchangesIn(page: string): Exchange[] {
  return codeBlocksIn(page)
    .filter(({ language }) => language === 'http')
    .flatMap(({ heading, text }) =>
      text
        .trim()
        .split(/\n{2,}/)
        .map((part) => readExchange(heading, part)),
    );
}

function readExchange(heading: string, part: string): Exchange {
  const [first = '', ...lines] = part.split('\n');
  const request = REQUEST.exec(first)?.groups;
  const at = lines.findIndex((line) => STATUS.test(line));
  const status = STATUS.exec(lines[at] ?? '')?.groups;
  if (!request || !status) assert.fail(`under ${heading}: no request and status in\n${part}`);
  return {
    heading,
    method: request.method as Exchange['method'], // the pattern has no others
    path: request.path ?? '',
    body: lines.slice(0, at).join('\n'),
    status: Number(status.status),
    response: [status.start ?? '', ...lines.slice(at + 1)].join('\n').trim(),
  };
}

type Answer = Promise<{ status: number; body: unknown }>;

interface Sends {
  get(path: string): Answer;
  post(path: string, body?: unknown): Answer;
  put(path: string, body?: unknown): Answer;
  delete(path: string, body?: unknown): Answer;
}

/** Sends the documented requests in order and compares the responses; the workers run between the requests. */
export class Replay {
  private readonly ids = new Map([
    ['week_ago', String(Math.floor(Date.now() / 1000) - WEEK)],
    ['now', String(Math.ceil(Date.now() / 1000) + HOUR)],
  ]);

  constructor(
    private readonly platform: Platform,
    private readonly user: { api: Sends },
  ) {}

  async send({ method, path, body, status, response }: Exchange): Promise<void> {
    const { api } = this.user;
    const filled = this.filled(body);
    // A rule set is YAML.
    const sent = filled === '' ? undefined : /^[[{]/.test(filled) ? JSON.parse(filled) : filled;
    const call = {
      GET: () => api.get(this.filled(path)),
      POST: () => api.post(this.filled(path), sent),
      PUT: () => api.put(this.filled(path), sent),
      DELETE: () => api.delete(this.filled(path), sent),
    }[method];
    const answer = await call();
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    if (response !== '') this.compare(answer.body, JSON.parse(response), `${method} ${path}`);
    await this.platform.settle();
  }

  private filled(text: string): string {
    return text.replace(/<(\w+)>/g, (_, name: string) => this.ids.get(name) ?? assert.fail(`<${name}> is not known`));
  }

  /** An id is recorded where it first occurs. */
  private compare(actual: unknown, shown: unknown, place: string): void {
    if (typeof shown === 'string') {
      const name = /^<(\w+)>$/.exec(shown)?.[1];
      if (name !== undefined && !this.ids.has(name)) this.ids.set(name, String(actual));
      assert.equal(actual, this.filled(shown), place);
    } else if (Array.isArray(shown)) {
      assert.ok(Array.isArray(actual) && actual.length === shown.length, `${place}: ${JSON.stringify(actual)}`);
      for (const [index, item] of shown.entries()) this.compare(actual[index], item, `${place}[${index}]`);
    } else if (typeof shown === 'object' && shown !== null) {
      assert.ok(typeof actual === 'object' && actual !== null, `${place}: ${JSON.stringify(actual)}`);
      const fields = new Map(Object.entries(actual));
      for (const [name, value] of Object.entries(shown)) this.compare(fields.get(name), value, `${place}.${name}`);
    } else assert.equal(actual, shown, place);
  }
}
