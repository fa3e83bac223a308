import assert from 'node:assert/strict';
import type { PoolConnection } from 'mysql2/promise';
import { writeFiringDeliveries } from '../../../../src/alerts/evaluation/firing-deliveries';
import type { Fired } from '../../../../src/alerts/evaluation/firing-rows';
import { FairShareScheduler } from '../../../../src/fairness/fair-share-scheduler';
import type { ConnectedNotification } from '../../../../src/notifications/delivery/delivery-rows';
import { PacedTexts } from '../../../../src/notifications/delivery/paced-texts';

const [ANNA, BEN] = [1, 2];
const NAMES = { trigger_name: 'warm', sensor_name: 'hall' };
const LEFT_OUT = /^warm on hall \(the own text is left out: .*use fewer variables\)$/;

/** No trigger depends on another one. */
const NO_DEPENDENTS = { waitMs: () => null, isWaiting: () => false };

describe('the texts of one transaction', () => {
  let nowMs = 0;
  const takes = (ms: number) => () => {
    nowMs += ms;
    return 'own text';
  };
  const textsOf = () => {
    const shares = new FairShareScheduler(() => nowMs);
    return { shares, texts: new PacedTexts(shares) };
  };

  it('are charged to their owners, and a pause is due after 20 ms', async () => {
    const { shares, texts } = textsOf();
    assert.equal(texts.render(ANNA, NAMES, takes(15)), 'own text');
    assert.equal(texts.isPauseDue, false);
    texts.render(BEN, NAMES, takes(10));
    assert.equal(texts.isPauseDue, true);
    assert.deepEqual([shares.usedMs(ANNA) > 10, shares.usedMs(BEN)], [true, 10]);
    await texts.pause();
    assert.equal(texts.isPauseDue, false);
  });

  it('of an owner who has used two seconds name what fired and say what is missing; those of others are whole', () => {
    const { texts } = textsOf();
    for (let each = 0; each < 201; each += 1) assert.equal(texts.render(ANNA, NAMES, takes(10)), 'own text');
    assert.match(texts.render(ANNA, NAMES, takes(10)), LEFT_OUT);
    assert.equal(texts.render(BEN, NAMES, takes(10)), 'own text');
  });

  it('of many owners take little more than three seconds', () => {
    const { texts } = textsOf();
    const [startMs, owners] = [nowMs, 20];
    for (let owner = 1; owner <= owners; owner += 1)
      for (let each = 0; each < 300; each += 1) texts.render(owner, NAMES, takes(10));
    assert.ok(nowMs - startMs < 4_100 + owners * 70, `${nowMs - startMs} ms`);
    assert.equal(texts.render(owners + 1, NAMES, takes(10)), 'own text');
  }).retries(2);

  it('that a pass writes are rendered with pauses', async () => {
    const text = '{{date(sensor_data_date)}}'.repeat(300);
    const notifications = Array.from({ length: 200 }, (_, at) => ({
      id: at,
      sensorTriggerId: 7,
      ownerId: ANNA,
      text,
      afterS: 0,
      type: 'url',
      destination: 'http://a.test',
    }));
    const variables = { sensor_data_date: 1_700_000_000 };
    const firing = {
      sensorTriggerId: 7,
      triggerId: 3,
      triggerName: 'warm',
      ownerId: ANNA,
      firedMs: 1,
      episodeMs: 1,
      variables,
    };
    const fired = [{ firing, sensor: { id: 5, name: 'hall' }, isFirst: true }] as unknown as Fired[]; // all that is read
    const written = new Map([[7, { id: 9, firstId: 9, isDeferred: false, hasWaiting: false, isHeld: false }]]);
    const rows: unknown[][] = [];
    const query = async (_: string, [given]: [unknown[][]]) => {
      rows.push(...(Array.isArray(given[0]) ? given : []));
      return [[]];
    };
    let pauses = 0;
    let isDone = false;
    const count = () => {
      pauses += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const shares = new FairShareScheduler();
    await writeFiringDeliveries(
      { query } as unknown as PoolConnection, // all that is called
      fired,
      { written, notifications: notifications as unknown as ConnectedNotification[], dependents: NO_DEPENDENTS },
      { evaluatedMs: 1, queuedMs: 1, texts: new PacedTexts(shares) },
    );
    isDone = true;
    assert.equal(rows.length, notifications.length, 'every notification gets its delivery');
    assert.ok(pauses >= 5, `other work ran ${pauses} times`);
    assert.ok(shares.usedMs(ANNA) > 100, `${shares.usedMs(ANNA)} ms are charged`);
  });
});
