import assert from 'node:assert/strict';
import { nextWeeklyMs, weeksBefore } from '../../../src/language/weekly-time';

const BERLIN = 'Europe/Berlin';
const next = (day: number, hour: number, after: string, zone = BERLIN) =>
  new Date(nextWeeklyMs({ day, hour }, zone, Date.parse(after))).toISOString();

describe('a time of each week', () => {
  it('is the next one by local clocks, and never the moment itself', () => {
    assert.equal(next(1, 8, '2026-11-29T12:00Z'), '2026-11-30T07:00:00.000Z');
    assert.equal(next(1, 8, '2026-11-30T06:59:59.999Z'), '2026-11-30T07:00:00.000Z');
    assert.equal(next(1, 8, '2026-11-30T07:00Z'), '2026-12-07T07:00:00.000Z');
    assert.equal(next(0, 23, '2026-11-29T22:00Z', 'America/New_York'), '2026-11-30T04:00:00.000Z');
    assert.equal(next(6, 0, '2026-11-30T07:00Z', 'Pacific/Auckland'), '2026-12-04T11:00:00.000Z');
  });

  it('follows the clocks through their changes', () => {
    assert.equal(next(1, 8, '2026-03-23T12:00Z'), '2026-03-30T06:00:00.000Z');
    assert.equal(next(0, 2, '2026-03-28T12:00Z'), '2026-03-29T01:00:00.000Z', 'an hour that does not exist');
    assert.equal(next(0, 2, '2026-10-24T12:00Z'), '2026-10-25T00:00:00.000Z', 'an hour that comes twice');
    assert.equal(next(0, 2, '2026-10-25T00:00Z'), '2026-11-01T01:00:00.000Z', 'only once');
  });

  it('comes once in each week of years', () => {
    for (const zone of [BERLIN, 'America/St_Johns', 'Australia/Lord_Howe', 'UTC']) {
      for (const hour of [0, 1, 2, 3, 23]) {
        let atMs = Date.parse('2024-01-01T00:00Z');
        for (let week = 0; week < 110; week += 1) {
          const nextMs = nextWeeklyMs({ day: 0, hour }, zone, atMs);
          const hours = (nextMs - atMs) / 3_600_000;
          if (week > 0) assert.ok(Math.abs(hours - 168) <= 1, `${zone} ${hour}: ${hours}`);
          atMs = nextMs;
        }
      }
    }
  });

  it('has a week before, which clock changes make longer or shorter', () => {
    const weekBefore = (at: string) => new Date(weeksBefore(BERLIN, Date.parse(at), 1)).toISOString();
    assert.equal(weekBefore('2026-11-30T07:00Z'), '2026-11-23T07:00:00.000Z');
    assert.equal(weekBefore('2026-10-26T07:00Z'), '2026-10-19T06:00:00.000Z');
    assert.equal(weekBefore('2026-03-30T06:00Z'), '2026-03-23T07:00:00.000Z');
  });
});
