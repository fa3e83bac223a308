import assert from 'node:assert/strict';
import type { Logger } from '../../../src/platform/logger';
import { NudgeBuffer } from '../../../src/queue/nudge-buffer';
import { Stopwatch, timed } from '../../support/stopwatch';

describe('the wake-up buffer', () => {
  let redis: { isReady: boolean };
  let sent: number[][];
  let answers: (() => void)[];
  let fails: boolean;
  let log: string[];
  let buffer: NudgeBuffer<number>;

  beforeEach(() => {
    redis = { isReady: true };
    [sent, answers, log, fails] = [[], [], [], false];
    const write = (_fields: object, text: string) => log.push(text);
    const logger = { warn: write, info: write } as unknown as Logger; // all that is used of it
    /** Redis responds when the test wants it to. */
    const send = (nudges: number[]) => {
      sent.push(nudges);
      return new Promise<void>((resolve, reject) => {
        answers.push(() => (fails ? reject(new Error('LOADING')) : resolve()));
      });
    };
    buffer = new NudgeBuffer('evaluation', redis, send, logger);
  });

  const add = (...ids: number[]) => buffer.add(ids.map((id) => [id, id] as const));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const answer = async () => {
    answers.shift()?.();
    await settle();
  };

  it('sends the first nudges immediately, and combines later ones until Redis responds', async () => {
    const first = add(1, 2);
    await settle();
    assert.deepEqual(sent, [[1, 2]]);
    const others = [add(2, 3), add(3), add(4, 2)];
    assert.deepEqual(sent, [[1, 2]]);
    await answer();
    await first;
    assert.deepEqual(sent, [
      [1, 2],
      [2, 3, 4],
    ]);
    await answer();
    await Promise.all(others);
    void add(5);
    await settle();
    assert.deepEqual(sent[2], [5]);
  });

  it('lingers after each flush as long as its most urgent nudges ask for, and collects meanwhile', async () => {
    const send = async (nudges: number[]) => void sent.push(nudges);
    const logger = { warn: assert.fail, info: assert.fail } as unknown as Logger; // nothing else of it could be used
    buffer = new NudgeBuffer('evaluation', redis, send, logger);
    const lingering = (id: number, ms: number) => buffer.add([[id, id]], ms);
    const begunMs = performance.now();
    await lingering(1, 50);
    const firstMs = performance.now() - begunMs;
    await Promise.all([lingering(2, 50), lingering(3, 10_000), lingering(2, 50)]);
    await lingering(4, 10_000);
    const lastMs = performance.now() - begunMs;
    assert.deepEqual(sent, [[1], [2, 3], [4]]);
    assert.ok(firstMs < lastMs / 2 && lastMs >= 99, `the first after ${firstMs} ms, the last after ${lastMs} ms`);
  }).retries(2);

  it('drops nudges while Redis is not connected, and logs that once', async () => {
    redis.isReady = false;
    for (let index = 0; index < 100; index += 1) await add(index);
    assert.deepEqual([sent, log], [[], ['nudges are lost; the reconciler will enqueue them again']]);
    redis.isReady = true;
    void add(1);
    await settle();
    await answer();
    assert.deepEqual(log.slice(1), ['nudges reach Redis again']);
  });

  it('holds a bounded number while Redis does not respond, and delays callers by two seconds at most', async () => {
    const begun = Date.now();
    const watch = new Stopwatch();
    const first = add(-1);
    await settle();
    for (let batch = 0; batch < 30; batch += 1)
      void add(...Array.from({ length: 1_000 }, (_, id) => batch * 1_000 + id));
    await first;
    const waitedMs = watch.stop();
    assert.ok(Date.now() - begun > 1_900 && waitedMs < 4_000, `${waitedMs} ms`);
    assert.ok((await timed(() => add(-2))) < 500);
    assert.equal(sent.length, 1);
    for (let count = 0; count < 20; count += 1) await answer();
    assert.deepEqual(
      sent.map(({ length }) => length),
      [1, ...Array.from({ length: 10 }, () => 1_000)],
    );
  }).retries(2);

  it('never fails, and continues after an error', async () => {
    fails = true;
    const first = add(1);
    await settle();
    await answer();
    await first;
    assert.deepEqual(log, ['nudges are lost; the reconciler will enqueue them again']);
    fails = false;
    void add(1);
    await settle();
    assert.deepEqual(sent, [[1], [1]]);
  });
});
