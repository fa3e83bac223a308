import assert from 'node:assert/strict';
import { OwnerShares } from '../../../src/ingest/owner-shares';
import { TurnClock, TurnTooLong } from '../../../src/ingest/turn-clock';

const [ANNA, BEN] = [1, 2];

describe('the computing time of owners', () => {
  let nowMs = 0;
  const stopwatch = () => nowMs;

  it('lets an owner who has computed nothing yet have thousands of rows in a turn', () => {
    assert.ok(new OwnerShares(stopwatch).rowsFor(ANNA) >= 5_000);
  });

  it('gives fewer rows to an owner whose rows are expensive, at once, and one at least', () => {
    const shares = new OwnerShares(stopwatch);
    shares.charge(ANNA, 100, 1_000);
    const cheap = shares.rowsFor(ANNA);
    shares.charge(ANNA, 100, 2);
    assert.ok(shares.rowsFor(ANNA) < cheap / 100);
    assert.equal(shares.rowsFor(ANNA), 1);
    assert.ok(shares.rowsFor(BEN) >= 5_000, 'nobody else is charged');
  });

  it('believes step by step that rows have become cheap again', () => {
    const shares = new OwnerShares(stopwatch);
    shares.charge(ANNA, 500, 1);
    nowMs += 60_000;
    const rows = Array.from({ length: 12 }, () => {
      shares.charge(ANNA, 0.1, 10);
      return shares.rowsFor(ANNA);
    });
    assert.ok(rows.every((count, index) => index === 0 || count >= (rows[index - 1] ?? 0)));
    assert.ok((rows[0] ?? 0) < 5 && (rows.at(-1) ?? 0) > 500, String(rows));
  });

  it('lets an owner wait who keeps the process busy, and forgets it after some seconds', () => {
    const shares = new OwnerShares(stopwatch);
    shares.charge(ANNA, 1_000, 1);
    shares.charge(ANNA, 1_000, 1);
    assert.equal(shares.rowsFor(ANNA), 0);
    nowMs += 2_000;
    assert.ok(shares.rowsFor(ANNA) > 0);
  });

  it('remembers a bounded number of owners', () => {
    const shares = new OwnerShares(stopwatch);
    for (let id = 1; id <= 20_000; id += 1) shares.charge(id, 5_000, 1);
    assert.ok(shares.rowsFor(1) > 0, 'the first is forgotten');
    assert.equal(shares.rowsFor(20_000), 0);
  });
});

describe('the clock of a turn', () => {
  let nowMs = 0;
  const spend = (clock: TurnClock, ownerId: number, ms: number) =>
    clock.measure(ownerId, () => {
      nowMs += ms;
    });
  const start = (rows: [number, number][]) => new TurnClock(new OwnerShares(() => nowMs), new Map(rows));

  it('ends a turn in which several rows of one owner take more than a second', async () => {
    const clock = start([
      [ANNA, 2],
      [BEN, 50],
    ]);
    await spend(clock, ANNA, 1_001);
    assert.equal(clock.isOver(BEN), false);
    assert.throws(() => clock.isOver(ANNA), TurnTooLong);
  });

  it('only says that the time is over when it is a single row', async () => {
    const clock = start([[ANNA, 1]]);
    await spend(clock, ANNA, 999);
    assert.equal(clock.isOver(ANNA), false);
    await spend(clock, ANNA, 2);
    assert.equal(clock.isOver(ANNA), true);
  });

  it('gives the services of others a tenth of that', async () => {
    const clock = start([[ANNA, 100]]);
    await spend(clock, BEN, 101);
    assert.equal(clock.isOver(BEN), true);
    assert.equal(clock.isOver(ANNA), false);
  });

  it('charges those whose turn was too long so much a row that the next turn takes few', async () => {
    const shares = new OwnerShares(() => nowMs);
    const clock = new TurnClock(shares, new Map([[ANNA, 4_000]]));
    await spend(clock, ANNA, 1_100);
    clock.charge({ isDone: false });
    assert.equal(shares.rowsFor(ANNA), 1);
  });
});
