import assert from 'node:assert/strict';
import { PassClock, PassTooLong } from '../../../src/alerts/evaluation/pass-clock';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';

const [ANNA, BEN] = [1, 2];

describe('the computing time of owners', () => {
  let nowMs = 0;
  const stopwatch = () => nowMs;

  it('gives an owner few rows until they have been measured, then thousands where they are cheap', () => {
    const shares = new FairShareScheduler(stopwatch);
    assert.equal(shares.rowsFor(ANNA), 20);
    shares.charge(ANNA, 0.4, 20);
    assert.ok(shares.rowsFor(ANNA) >= 5_000);
  });

  it('counts an owner who has not been measured for more than one whose rows are few and cheap', () => {
    const shares = new FairShareScheduler(stopwatch);
    shares.charge(ANNA, 1, 1);
    shares.charge(BEN, 300, 100);
    assert.ok(shares.usedMs(ANNA) < shares.usedMs(3) && shares.usedMs(3) < shares.usedMs(BEN));
  });

  it('immediately gives fewer rows to an owner whose rows are expensive, but at least one', () => {
    const shares = new FairShareScheduler(stopwatch);
    shares.charge(ANNA, 100, 1_000);
    const cheap = shares.rowsFor(ANNA);
    shares.charge(ANNA, 100, 2);
    assert.ok(shares.rowsFor(ANNA) < cheap / 100);
    assert.equal(shares.rowsFor(ANNA), 1);
    assert.equal(shares.rowsFor(BEN), 20, 'no other owner is charged');
  });

  it('counts a row that proves expensive at once, not halfway', () => {
    const shares = new FairShareScheduler(stopwatch);
    shares.charge(ANNA, 1, 10);
    shares.charge(ANNA, 2, 10);
    // 197 of 200 ms are left, at 0.2 ms each; halfway it would be 0.15 ms.
    assert.ok(shares.rowsFor(ANNA) <= 985, String(shares.rowsFor(ANNA)));
  });

  it('gradually gives more rows once they are cheap again', () => {
    const shares = new FairShareScheduler(stopwatch);
    shares.charge(ANNA, 500, 1);
    nowMs += 60_000;
    const rows = Array.from({ length: 12 }, () => {
      shares.charge(ANNA, 0.1, 10);
      return shares.rowsFor(ANNA);
    });
    assert.ok(rows.every((count, index) => index === 0 || count >= (rows[index - 1] ?? 0)));
    assert.ok((rows[0] ?? 0) < 5 && (rows.at(-1) ?? 0) > 500, String(rows));
  });

  it('makes an owner who keeps the process busy wait, and forgets that after some seconds', () => {
    const shares = new FairShareScheduler(stopwatch);
    shares.charge(ANNA, 1_000, 1);
    shares.charge(ANNA, 1_000, 1);
    assert.equal(shares.rowsFor(ANNA), 0);
    nowMs += 2_000;
    assert.ok(shares.rowsFor(ANNA) > 0);
  });

  it('gives an owner who has used much five times as many rows while nobody else waits', () => {
    const shares = new FairShareScheduler(stopwatch);
    shares.charge(ANNA, 500, 1_000);
    assert.deepEqual([shares.rowsFor(ANNA), shares.rowsFor(ANNA, { isAlone: true })], [40, 200]);
    shares.charge(ANNA, 1_500, 3_000);
    assert.equal(shares.rowsFor(ANNA, { isAlone: true }), 0, 'who keeps the process busy waits, also alone');
  });

  it('keeps the usage of a bounded number of owners', () => {
    const shares = new FairShareScheduler(stopwatch);
    for (let id = 1; id <= 20_001; id += 1) shares.charge(id, 5_000, 1);
    assert.ok(shares.rowsFor(1) > 0, 'the first is dropped');
    assert.equal(shares.rowsFor(20_001), 0);
  });
});

describe('the clock of a pass', () => {
  let nowMs = 0;
  const spend = (clock: PassClock, ownerId: number, ms: number) =>
    clock.measure(
      ownerId,
      () => {
        nowMs += ms;
      },
      1,
    );
  const start = (rows: [number, number][]) => new PassClock(new FairShareScheduler(() => nowMs), new Map(rows));

  it('leaves the rows of an owner whose evaluation takes too long to the next pass, unless there is a single row', async () => {
    const clock = start([
      [ANNA, 2],
      [BEN, 1],
    ]);
    spend(clock, ANNA, 299);
    assert.equal(clock.isCut(ANNA), false);
    spend(clock, ANNA, 2);
    spend(clock, BEN, 400);
    assert.deepEqual([clock.isCut(ANNA), clock.isCut(BEN)], [true, false]);
  });

  it('leaves what comes after half a second of all owners together', async () => {
    const clock = start([
      [ANNA, 1],
      [BEN, 1],
    ]);
    spend(clock, ANNA, 300);
    assert.equal(clock.isFull, false);
    spend(clock, BEN, 201);
    assert.equal(clock.isFull, true);
  });

  it('charges an owner for the rows that were evaluated, not for those in hand', async () => {
    const shares = new FairShareScheduler(() => nowMs);
    const clock = new PassClock(shares, new Map([[ANNA, 4_000]]));
    spend(clock, ANNA, 100);
    clock.charge({ isDone: true });
    assert.equal(shares.rowsFor(ANNA), 1);
  });

  it('ends a pass in which several rows of one owner take more than one second', async () => {
    const clock = start([
      [ANNA, 2],
      [BEN, 50],
    ]);
    spend(clock, ANNA, 1_001);
    assert.equal(clock.isOver(BEN), false);
    assert.throws(() => clock.isOver(ANNA), PassTooLong);
  });

  it('reports that the time is over, but does not end the pass, if the owner has a single row', async () => {
    const clock = start([[ANNA, 1]]);
    spend(clock, ANNA, 999);
    assert.equal(clock.isOver(ANNA), false);
    spend(clock, ANNA, 2);
    assert.equal(clock.isOver(ANNA), true);
  });

  it('gives services of other owners a tenth of that', async () => {
    const clock = start([[ANNA, 100]]);
    spend(clock, BEN, 101);
    assert.equal(clock.isOver(BEN), true);
    assert.equal(clock.isOver(ANNA), false);
  });

  it('gives the services of all other owners together half a second, and then a slice each', async () => {
    const clock = start([[ANNA, 100]]);
    const others = Array.from({ length: 50 }, (_, index) => 100 + index);
    let takenMs = 0;
    for (const other of others) {
      for (let slices = 0; !clock.isOver(other); slices += 1) {
        assert.ok(slices < 10, 'an owner may compute again and again');
        spend(clock, other, 20);
        takenMs += 20;
      }
    }
    assert.ok(takenMs <= 500 + 100 + 50 * 20, `${takenMs} ms`);
    assert.deepEqual([clock.isOver(BEN), clock.isOver(ANNA)], [false, false], 'the next one still gets a slice');
  }).retries(2);

  it('counts rows of an owner whose pass was too long as expensive, so that the next pass has few', async () => {
    const shares = new FairShareScheduler(() => nowMs);
    const clock = new PassClock(shares, new Map([[ANNA, 4_000]]));
    spend(clock, ANNA, 1_100);
    clock.charge({ isDone: false });
    assert.equal(shares.rowsFor(ANNA), 1);
  });
});
