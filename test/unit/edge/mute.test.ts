import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deferral, isMuted, type Mute, muteEndMs, type WeeklyHours } from '../../../src/edge/mute';
import { isTimeZone } from '../../../src/language/local-time';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
const ALWAYS: Mute = { startMs: null, endMs: null, sensors: null, triggers: null, weekly: null, deliversAfter: false };
const ZONES = [
  'UTC',
  'Europe/Amsterdam',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
];

const at = (time: string, sensorId = 1, triggerId = 2) => ({ sensorId, triggerId, atMs: Date.parse(time) });
const weekly = (hours: Partial<WeeklyHours>): Mute => ({
  ...ALWAYS,
  weekly: { days: ALL_DAYS, from: '22:00', to: '06:00', timezone: 'UTC', ...hours },
});

describe('a mute', () => {
  it('applies from its start until before its end', () => {
    const mute = { ...ALWAYS, startMs: 1_000, endMs: 2_000 };
    const moments = [999, 1_000, 1_999, 2_000].map((atMs) => isMuted([mute], { sensorId: 1, triggerId: 2, atMs }));
    assert.deepEqual(moments, [false, true, true, false]);
    assert.equal(isMuted([], at('2026-11-22T12:00:00Z')), false);
  });

  it('defers a firing to the end of all mutes, if one of them delivers what still fires', () => {
    const dropping = { ...ALWAYS, startMs: 1_000, endMs: 3_000 };
    const delivering = { ...ALWAYS, startMs: 1_000, endMs: 2_000, deliversAfter: true };
    const until = (mutes: Mute[], atMs: number, mutedUntilMs: number | null = null) =>
      deferral({ mutes, mutedUntilMs }, { sensorId: 1, triggerId: 2, atMs }).deferredUntilMs;
    assert.equal(until([delivering], 1_500), 2_000);
    assert.equal(until([delivering], 1_500, 9_000), 9_000);
    assert.equal(until([dropping, delivering], 1_500), 3_000);
    assert.deepEqual([until([dropping, delivering], 2_500), until([], 1_500, 9_000)], [undefined, undefined]);
    assert.equal(until([{ ...delivering, sensors: new Set([3]) }], 1_500), undefined);
  });

  it('is about its sensors and triggers, both where it has both', () => {
    const mute = { ...ALWAYS, sensors: new Set([1]), triggers: new Set([2]) };
    const found = [
      [1, 2],
      [1, 3],
      [3, 2],
      [3, 3],
    ].map(([sensorId, triggerId]) => isMuted([mute], at('2026-11-22T12:00:00Z', sensorId, triggerId)));
    assert.deepEqual(found, [true, false, false, false]);
    assert.equal(isMuted([mute, ALWAYS], at('2026-11-22T12:00:00Z', 3, 3)), true, 'one of several is enough');
    assert.equal(isMuted([{ ...ALWAYS, sensors: new Set() }], at('2026-11-22T12:00:00Z')), false);
  });

  it('counts a night to the day on which it begins', () => {
    const saturdays = weekly({ days: [6], timezone: 'Europe/Amsterdam' });
    // 2026-11-21 is a Saturday; in Amsterdam it is an hour later than in UTC.
    const expected: [string, boolean][] = [
      ['2026-11-20T23:00:00Z', false],
      ['2026-11-21T04:30:00Z', false],
      ['2026-11-21T20:59:59.999Z', false],
      ['2026-11-21T21:00:00Z', true],
      ['2026-11-22T04:59:59.999Z', true],
      ['2026-11-22T05:00:00Z', false],
      ['2026-11-22T22:00:00Z', false],
    ];
    for (const [time, muted] of expected) assert.equal(isMuted([saturdays], at(time)), muted, time);
  });

  it('with equal hours applies the whole day, and within its start and end only', () => {
    const sundays = weekly({ days: [0], from: '08:00', to: '08:00' });
    const moments = ['2026-11-21T23:59:59Z', '2026-11-22T00:00:00Z', '2026-11-22T23:59:59Z', '2026-11-23T00:00:00Z'];
    assert.deepEqual(
      moments.map((time) => isMuted([sundays], at(time))),
      [false, true, true, false],
    );
    const limited = {
      ...sundays,
      startMs: Date.parse('2026-11-22T10:00:00Z'),
      endMs: Date.parse('2026-11-22T11:00:00Z'),
    };
    assert.equal(isMuted([limited], at('2026-11-22T09:59:59Z')), false);
    assert.equal(isMuted([limited], at('2026-11-22T10:00:00Z')), true);
    assert.equal(isMuted([limited], at('2026-11-29T10:30:00Z')), false);
  });

  it('follows the clocks through daylight saving', () => {
    const minutesOf = (mute: Mute, from: string, to: string) => {
      let minutes = 0;
      for (let atMs = Date.parse(from); atMs < Date.parse(to); atMs += MINUTE_MS) {
        if (isMuted([mute], { sensorId: 1, triggerId: 2, atMs })) minutes += 1;
      }
      return minutes;
    };
    const nights = weekly({ timezone: 'Europe/Amsterdam' });
    assert.equal(minutesOf(nights, '2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z'), 8 * 60);
    assert.equal(minutesOf(nights, '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'), 7 * 60, 'the clocks go forward');
    assert.equal(minutesOf(nights, '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z'), 9 * 60, 'the clocks go back');
    const gap = weekly({ from: '02:00', to: '03:00', timezone: 'Europe/Amsterdam' });
    assert.equal(minutesOf(gap, '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z'), 0, 'an hour that does not exist');
    assert.equal(minutesOf(gap, '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z'), 120, 'an hour that comes twice');
  });

  it('agrees with the clocks of every zone at every moment', () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((n) => String(n).padStart(2, '0')).join(':'));
    const moment = fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2035-01-01') });
    // Half of the moments are near the change of clocks in Europe and America.
    const change = fc.constantFrom('2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-03-08T07:00Z', '2026-11-01T06:00Z');
    const nearChange = fc
      .tuple(change, fc.integer({ min: -DAY_MS, max: DAY_MS }))
      .map(([text, distance]) => Date.parse(text) + distance);
    fc.assert(
      fc.property(
        fc.oneof(moment, nearChange),
        fc.constantFrom(...ZONES),
        fc.uniqueArray(fc.nat(6), { minLength: 1 }),
        time,
        time,
        (atMs, timezone, days, from, to) => {
          const mute = weekly({ days, from, to, timezone });
          assert.equal(isMuted([mute], { sensorId: 1, triggerId: 2, atMs }), byOffset(mute, atMs));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('knows time zones by their names', () => {
    for (const zone of ZONES) assert.equal(isTimeZone(zone), true, zone);
    for (const zone of ['Europe/Atlantis', 'Amsterdam', '', ' UTC ', 'UTC; DROP', '../../etc/passwd']) {
      assert.equal(isTimeZone(zone), false, zone);
    }
  });

  const anyWeekly = fc.record({
    days: fc.subarray(ALL_DAYS, { minLength: 1 }),
    from: fc.constantFrom('00:00', '02:30', '06:00', '22:00', '23:59'),
    to: fc.constantFrom('00:00', '02:30', '03:00', '06:00', '22:15'),
    timezone: fc.constantFrom(...ZONES),
  });
  // Around the changes of the clocks in most of these zones.
  const moments = fc
    .constantFrom('2026-03-27', '2026-10-30', '2026-07-01')
    .chain((day) =>
      fc.integer({ min: 0, max: 4 * 24 * 60 * 60 - 1 }).map((second) => Date.parse(`${day}T00:00:00Z`) + second * 1000),
    );

  it('ends at a time that is never after its real end, and at it where no clock changes', () => {
    fc.assert(
      fc.property(anyWeekly, moments, (hours, atMs) => {
        const mutes = [weekly(hours)];
        const moment = { sensorId: 1, triggerId: 2, atMs };
        const endMs = muteEndMs({ mutes, mutedUntilMs: null }, moment);
        if (!isMuted(mutes, moment)) return assert.equal(endMs, atMs);
        assert.ok(endMs > atMs && endMs - atMs <= DAY_MS + 60 * MINUTE_MS);
        for (let ms = atMs; ms < endMs; ms += MINUTE_MS) assert.ok(isMuted(mutes, { ...moment, atMs: ms }), `${ms}`);
        // Unless the clock changes meanwhile, or the next hours begin there.
        const offset = offsetMs(hours.timezone, endMs);
        const time = new Date(endMs + offset).toISOString().slice(11, 16);
        const changes = offset !== offsetMs(hours.timezone, atMs);
        if (changes || time === '00:00' || time === hours.from) return;
        assert.ok(!isMuted(mutes, { ...moment, atMs: endMs }));
      }),
    );
  });

  it('ends at its hour by the local clock in a night in which the clock goes forward', () => {
    const end = (timezone: string, time: string) =>
      new Date(muteEndMs({ mutes: [weekly({ timezone })], mutedUntilMs: null }, at(time))).toISOString();
    assert.equal(end('Europe/Amsterdam', '2026-03-28T23:30:00Z'), '2026-03-29T04:00:00.000Z');
    assert.equal(end('America/New_York', '2026-03-08T04:30:00Z'), '2026-03-08T10:00:00.000Z');
    assert.equal(end('Australia/Lord_Howe', '2026-10-03T13:00:00Z'), '2026-10-03T19:00:00.000Z');
  });

  it('ends when the clock changes, if its hour is one that the clock skips', () => {
    const hours = weekly({ days: [6], from: '06:00', to: '02:30', timezone: 'Europe/Amsterdam' });
    const endMs = muteEndMs({ mutes: [hours], mutedUntilMs: null }, at('2026-03-28T05:00:00Z'));
    assert.equal(new Date(endMs).toISOString(), '2026-03-29T01:00:00.000Z');
  });

  it('ends with the last of those that cover a moment', () => {
    const once = (endMs: number) => ({ ...ALWAYS, startMs: 0, endMs });
    const end = (mutes: Mute[], mutedUntilMs: number | null) =>
      muteEndMs({ mutes, mutedUntilMs }, { sensorId: 1, triggerId: 2, atMs: 1_000 });
    assert.equal(end([], null), 1_000);
    assert.equal(end([once(2_000), once(3_000), once(500)], 2_500), 3_000);
    assert.equal(end([once(2_000)], 2_500), 2_500);
    assert.equal(end([{ ...once(3_000), startMs: 2_000 }], null), 1_000);
  });
});

/** The same by the offset from UTC at that moment, and minutes since the beginning of the period that may be under way. */
function byOffset({ weekly: hours }: Mute, atMs: number): boolean {
  assert.ok(hours);
  const local = new Date(atMs + offsetMs(hours.timezone, atMs));
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const [from, to] = [minutesIn(hours.from), minutesIn(hours.to)];
  const [today, yesterday] = [local.getUTCDay(), (local.getUTCDay() + 6) % 7];
  if (from === to) return hours.days.includes(today);
  const length = (to - from + 24 * 60) % (24 * 60);
  const since = (day: number, passed: number) => hours.days.includes(day) && passed >= 0 && passed < length;
  return since(today, minute - from) || since(yesterday, minute + 24 * 60 - from);
}

function minutesIn(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function offsetMs(timeZone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
