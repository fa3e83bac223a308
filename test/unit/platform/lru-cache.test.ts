import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileExpression } from '../../../src/language/expression';
import { readValue } from '../../../src/language/sensor-value';
import { LruCache } from '../../../src/platform/lru-cache';

/** What a cache is asked for, as `made` when it was not kept. */
function asking(capacity: number, weigh?: (key: number) => number) {
  const cache = new LruCache<number, object>(capacity, weigh);
  return (key: number) => {
    let how = 'kept';
    cache.get(key, () => {
      how = 'made';
      return {};
    });
    return how;
  };
}

/** Bytes in use, once all garbage is collected. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  for (let times = 0; times < 3; times += 1) collect(); // one that was under way keeps what was made meanwhile
  return process.memoryUsage().heapUsed;
}

describe('a cache', () => {
  it('makes each value once while it is used, and forgets those that are not', () => {
    const ask = asking(10);
    assert.deepEqual([ask(1), ask(1)], ['made', 'kept']);
    for (let key = 2; key < 100; key += 1) assert.deepEqual([ask(key), ask(1)], ['made', 'kept']);
    assert.equal(ask(2), 'made');
  });

  it('holds as much as its capacity by weight', () => {
    const ask = asking(100, (key) => key % 100);
    assert.deepEqual([110, 210, 310, 410, 510].map(ask), Array(5).fill('made'), 'a half is full');
    assert.deepEqual([110, 210, 310, 410, 510].map(ask), Array(5).fill('kept'));
    assert.deepEqual([149, 249].map(ask), ['made', 'made'], 'each takes a half');
    assert.equal(ask(110), 'made');
  });

  it('does not keep what is heavier than a half, nor forget others for it', () => {
    const ask = asking(100, (key) => key % 100);
    assert.deepEqual([110, 151, 251, 351].map(ask), Array(4).fill('made'));
    assert.deepEqual([ask(110), ask(151)], ['kept', 'made']);
  });
});

describe('a value that is set in a cache', () => {
  it('replaces the former one, whose weight no longer counts', () => {
    const cache = new LruCache<string, number>(100, (_key, weight) => weight);
    assert.equal(cache.find('a'), undefined);
    for (let weight = 1; weight <= 50; weight += 1) cache.set('a', weight);
    cache.set('b', 1);
    cache.set('a', 49);
    assert.deepEqual([cache.find('a'), cache.find('b')], [49, 1]);
    cache.set('a', 51);
    assert.deepEqual([cache.find('a'), cache.find('b')], [undefined, 1], 'too heavy to be cached');
  });
});

describe('a cache that cannot weigh an entry', () => {
  it('does not keep it, and keeps its bounds', () => {
    const ask = asking(10, (key) => (key === 7 ? Number.NaN : 1));
    assert.deepEqual([7, 7, 1].map(ask), ['made', 'made', 'made']);
    for (let key = 10; key < 30; key += 1) ask(key);
    assert.equal(ask(1), 'made');
  });
});

describe('what is kept of long texts of users', () => {
  it('takes 40 MB for expressions, however many there are', function () {
    this.timeout(30_000);
    const before = usedBytes();
    for (let index = 0; index < 1_500; index += 1) {
      assert.ok(compileExpression(`${index} < ${'1+'.repeat(990)}1`).ok);
    }
    const mb = (usedBytes() - before) / 1e6;
    assert.ok(mb < 40, `${Math.round(mb)} MB`);
  });

  it('takes 25 MB for values', () => {
    const before = usedBytes();
    for (let index = 0; index < 50; index += 1) readValue(`[${index}${',{}'.repeat(21_000)}]`, 'json');
    const mb = (usedBytes() - before) / 1e6;
    assert.ok(mb < 25, `${Math.round(mb)} MB`);
  });
});
