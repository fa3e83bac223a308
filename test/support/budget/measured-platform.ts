import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type Counts, HEAP_OPTIONS } from './counter';
import type { Loss } from './planted-losses';

const ROOT = join(__dirname, '../../..');

/** A request to a measured platform. */
export interface Sent {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** Instead of the session of the platform's user. */
  token?: string;
}

interface Work {
  step(n: number): Promise<unknown>;
  before?(n: number): Promise<unknown>;
}

/** A platform in a process of its own, which counts what it does. Requests come one after another, over one connection. */
export class MeasuredPlatform {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  private constructor(
    private readonly child: ChildProcess,
    private url: string,
    private session: string,
  ) {}

  static async start(): Promise<MeasuredPlatform> {
    const args = [...HEAP_OPTIONS, '-r', './scripts/swc-hook.cjs', './test/support/budget/measured-process.ts'];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    const platform = new MeasuredPlatform(child, '', '');
    const { url, session } = (await platform.ask('user')) as { url: string; session: string };
    Object.assign(platform, { url, session });
    return platform;
  }

  /**
   * What the process does in all the steps together, by the median of them, so that what happens now and then by the clock
   * does not count. `before` a step nothing is counted.
   */
  async during(steps: number, { step, before }: Work): Promise<Counts> {
    await this.ask('collect');
    const counted: Counts[] = [];
    for (let n = 0; n < steps; n += 1) {
      await before?.(n);
      await this.ask('begin');
      await step(n);
      counted.push((await this.ask('end')) as Counts);
    }
    const names = Object.keys(counted[0] ?? {}) as (keyof Counts)[];
    const medians = names.map((name) => [name, median(counted.map((counts) => counts[name])) * steps]);
    return Object.fromEntries(medians);
  }

  /** From now on each upload of several sensors does this once more than needed. */
  async plant(loss: Loss): Promise<void> {
    await this.ask(loss);
  }

  /** Does the work of workers until nothing waits. */
  async settle(): Promise<void> {
    await this.ask('settle');
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape; a type here would only repeat it
  async send({ method, path, body, token }: Sent): Promise<any> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    const headers = {
      ...(token ? { Authorization: `Token ${token}` } : { 'X-SESSION_ID': this.session }),
      ...(text === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }),
    };
    const sent = request(this.url + path, { method, agent: this.agent, headers });
    sent.end(text);
    const [response] = await once(sent, 'response');
    let answer = '';
    for await (const part of response.setEncoding('utf8')) answer += part;
    assert.ok(
      response.statusCode < 300 || response.statusCode === 404,
      `${method} ${path}: ${response.statusCode} ${answer}`,
    );
    return answer === '' ? undefined : JSON.parse(answer);
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    this.agent.destroy();
    await ended;
  }

  private async ask(word: string): Promise<unknown> {
    this.child.send(word);
    const [{ answer }] = await once(this.child, 'message');
    return answer;
  }
}

function median(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
