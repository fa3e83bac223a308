import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Api, apiClient } from '../api-client';
import { type Counts, HEAP_OPTIONS } from './counter';
import type { Loss } from './planted-losses';

const ROOT = join(__dirname, '../../..');

/** A request to a measured platform. */
export interface Sent {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  /** Instead of the session of the platform's user; the body is text then. */
  token?: string;
  /** It must be a 404. */
  isRefused?: boolean;
}

interface Work {
  step(n: number): Promise<unknown>;
  before?(n: number): Promise<unknown>;
}

/** A platform in a process of its own, which counts what it does. Requests come one after another, over one connection. */
export class MeasuredPlatform {
  private constructor(
    private readonly child: ChildProcess,
    private readonly url: string,
    private readonly api: Api,
  ) {}

  static async start(): Promise<MeasuredPlatform> {
    const args = [...HEAP_OPTIONS, '-r', './scripts/swc-hook.cjs', './test/support/budget/measured-process.ts'];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    const { url, session } = await ask(child, 'user');
    return new MeasuredPlatform(child, url, apiClient(url, { 'X-SESSION_ID': session }));
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
      counted.push(await this.ask('end'));
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

  /** The body of the answer, which must be the one that is expected. */
  async send({ method, path, body, token, isRefused }: Sent) {
    const api = token
      ? apiClient(this.url, { Authorization: `Token ${token}`, 'Content-Type': 'text/plain' })
      : this.api;
    const answer = method === 'GET' ? await api.get(path) : await api.post(path, body);
    assert.equal(answer.status === 404, isRefused ?? false, `${method} ${path}: ${answer.status}`);
    assert.ok(isRefused || answer.status < 300, `${method} ${path}: ${answer.status}`);
    return answer.body;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }

  private ask(word: string) {
    return ask(this.child, word);
  }
}

/** The answer of the process to a word. */
async function ask(child: ChildProcess, word: string) {
  child.send(word);
  const [{ answer }] = await once(child, 'message');
  return answer;
}

function median(counts: readonly number[]): number {
  const sorted = [...counts].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
