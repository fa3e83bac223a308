import assert from 'node:assert/strict';
import pino from 'pino';
import { DecisionLog } from '../../../../src/alerts/evaluation/decision-log';
import type { Decided } from '../../../../src/alerts/rules/sensor-state';
import type { RedisClient } from '../../../../src/queue';
import { buildState } from '../rules/trigger-states';

const KEPT = { ofTriggers: 1_000, days: 1 };
const one: Decided = {
  sensorId: 1,
  sensorTriggerId: 2,
  triggerId: 3,
  triggerVersion: 1,
  decision: { fire: false, reason: 'false' },
  decidedMs: 1_795_229_544_125,
  before: buildState(),
  point: { value: 'x'.repeat(90), dateMs: 1_795_229_544_000 },
};

describe('the log of decisions', () => {
  it('holds no more than two buffers while Redis answers nothing, and goes on afterwards', async () => {
    let commands = 0;
    let answer = () => {};
    const ask = () => {
      commands += 1;
      return new Promise<never>((_, reject) => {
        answer = () => reject(new Error('gone'));
      });
    };
    const log = new DecisionLog({ ask } as Pick<RedisClient, 'ask'>, 'test', KEPT, pino({ level: 'silent' }));
    const before = process.memoryUsage().arrayBuffers;
    for (let pass = 0; pass < 200; pass += 1) log.write(Array(1_000).fill(one));
    assert.equal(commands, 1);
    assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000);
    answer();
    const flushed = log.flush();
    await new Promise(setImmediate);
    assert.equal(commands, 2);
    answer();
    await flushed;
    log.write([one]);
    const last = log.flush();
    await new Promise(setImmediate);
    assert.equal(commands, 3);
    answer();
    await last;
  });

  it('stores nothing that it could not store for half a minute: its sensor may be deleted by now', async () => {
    const stored: number[] = [];
    const ask = () => Promise.resolve(stored.push(performance.now()));
    const log = new DecisionLog({ ask } as unknown as RedisClient, 'test', KEPT, pino({ level: 'silent' }));
    const now = performance.now.bind(performance);
    const afterSeconds = async (seconds: number) => {
      log.write([one]);
      performance.now = () => now() + seconds * 1_000;
      await log.flush().finally(() => {
        performance.now = now;
      });
      return stored.splice(0).length;
    };
    assert.deepEqual([await afterSeconds(29), await afterSeconds(31), await afterSeconds(1)], [1, 0, 1]);
  });
});
