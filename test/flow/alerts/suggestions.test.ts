import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runCancellable } from '../../../src/storage/cancellation';
import { buildAlarms } from '../../support/alarm';
import { buildTrigger, type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import { type StoredEpisode, storeEpisodes } from '../../support/random-alerts';

const MINUTE = 60;
const HOURS = 8;

interface Span {
  sensor_id: string;
  date: number;
  ended: number | null;
}

/** Parts of a day on a sensor: so many minutes with about this value. */
const part = fc.record({
  length: fc.integer({ min: 1, max: 18 }),
  value: fc.constantFrom(20, 26, 29.4, 30.3, 31, 34, 38),
});
const day = fc.array(part, { minLength: 25, maxLength: 60 });
const story = fc.record({
  days: fc.tuple(day, day),
  trigger: fc.record({
    expression: fc.constantFrom('sensor_data_value > 30', 'sensor_data_value >= 31', 'sensor_data_value < 29.5'),
    repeat: fc.constantFrom(0, null, 300),
    hold: fc.constantFrom(0, 0, 120),
    keep_firing_for: fc.constantFrom(0, 0, 90),
    resolve_expression: fc.constantFrom(null, null, 'sensor_data_value < 26 or sensor_data_value > 34'),
    notify_resolved: fc.boolean(),
  }),
  after: fc.constantFrom(0, 0, 600),
  acknowledged: fc.array(fc.nat(60), { maxLength: 3 }),
});

describe('suggestions for quieter rules', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const ada = useUserPerTest(platform);
  const other = useUser(platform);

  const suggest = async (query: string, user = ada) => {
    const { status, body } = await user.api.get(`/reports/alerts/suggestions?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const backtest = async (triggerId: string, body: Fields) => {
    const response = await ada.api.post(`/triggers/${triggerId}/backtest`, body);
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body.backtest;
  };
  const rangeNow = () => {
    const end = clock.now() / 1000;
    return { start_date: end - HOURS * 3_600, end_date: end };
  };
  const queryOf = (range: Fields) => `start_date=${range.start_date}&end_date=${range.end_date}`;

  /** Stores a day of each sensor, a point a minute, and the firings of the trigger; those at these places are acknowledged. */
  const live = async (
    days: readonly (readonly { length: number; value: number }[])[],
    { trigger, acknowledged = [], after = 0 }: { trigger: Fields; acknowledged?: readonly number[]; after?: number },
  ) => {
    const range = rangeNow();
    const { sensorIds, triggerId, notificationIds } = await buildAlarms(ada, {
      sensors: days.map((_, at) => ({ name: `sensor ${at}`, data_type: 'float' })),
      trigger,
      notifications: [{ text: 'now' }],
    });
    if (after > 0) {
      const { body } = await ada.api.post('/notifications', {
        notification: { type: 'url', destination: 'http://127.0.0.1:9/' },
      });
      const given = { notifications: [{ notification: { id: body.notification.id, after } }] };
      for (const id of sensorIds)
        assert.equal((await ada.api.post(`/sensors/${id}/triggers/${triggerId}/notifications`, given)).status, 201);
    }
    for (const [at, parts] of days.entries()) {
      const values = parts.flatMap(({ length, value }) => Array.from({ length }, () => value));
      const points = values.slice(0, HOURS * 60 - 1).map((value, minute) => ({
        ...{ value, date: range.start_date + (minute + 1) * MINUTE },
      }));
      await upload(ada, sensorIds[at] ?? '', points);
    }
    const { firings } = await backtest(triggerId, { sensor_ids: sensorIds, ...range });
    const spans = new Map<string, Span>();
    for (const { sensor_id, date, ended } of firings as Span[]) {
      const key = `${sensor_id} ${ended}`;
      if (!spans.has(key)) spans.set(key, { sensor_id, date, ended });
    }
    const episodes = [...spans.values()].map(
      ({ sensor_id, date, ended }, at): StoredEpisode => ({
        ...{ sensor: sensorIds.indexOf(sensor_id), trigger: 0, endedMs: ended === null ? null : ended * 1000 },
        acknowledgedMs: acknowledged.includes(at) ? date * 1000 + 5_000 : null,
        firings: [{ firedMs: date * 1000, deliveries: [] }],
      }),
    );
    await storeEpisodes(platform, { id: ada.id, sensorIds, triggerIds: [triggerId], notificationIds }, episodes);
    return { range, sensorIds, triggerId, episodes };
  };

  /** Compares a suggestion with the backtest of the same change by hand. */
  const requireByHand = async (
    one: Fields,
    { range, triggerId, sensorIds, episodes }: Awaited<ReturnType<typeof live>>,
  ) => {
    const { trigger } = (await ada.api.get(`/triggers/${triggerId}`)).body;
    const field = String(one.field);
    const names = ['expression', 'hold', 'repeat', 'keep_firing_for', 'resolve_expression', 'timezone'];
    const rule = Object.fromEntries(names.map((name) => [name, trigger[name]]));
    assert.deepEqual(one.from, trigger[field]);
    const { summary, comparison } = await backtest(triggerId, {
      ...{ ...range, sensor_ids: one.sensor_ids, acknowledge: 'as_recorded', compare: { ...rule, [field]: one.to } },
    });
    const numbers = ({ episodes: all, deliveries, at_night }: Fields) => ({ episodes: all, deliveries, at_night });
    assert.deepEqual([one.before, one.after], [numbers(summary), numbers(comparison.summary)]);
    const later = comparison.both
      .map((pair: { later: number }) => Math.max(0, pair.later))
      .sort((a: number, b: number) => a - b);
    assert.deepEqual(one.delay, { median: later[Math.ceil(later.length / 2) - 1], longest: later.at(-1) });
    assert.equal(Number(one.lost_count) + Number(one.merged), comparison.only_this_count);
    const isOnlyThis = ({ sensor_id, date }: Span) =>
      comparison.only_this.some((span: Span) => span.sensor_id === sensor_id && span.date === date);
    assert.ok((one.lost as Span[]).every(isOnlyThis));
    for (const { sensor, firings, endedMs, acknowledgedMs } of episodes) {
      if (acknowledgedMs === null) continue;
      const overlaps = ({ sensor_id, date, ended }: Span) =>
        sensor_id === sensorIds[sensor] &&
        date * 1000 <= (endedMs ?? Number.POSITIVE_INFINITY) &&
        (ended ?? Number.POSITIVE_INFINITY) * 1000 >= firings[0].firedMs;
      assert.ok(!comparison.only_this.some(overlaps), 'an acknowledged alert is lost');
      assert.ok(comparison.both.some(overlaps));
    }
    const [was, is] = [one.before, one.after].map((all) => (all as Record<string, number>).deliveries ?? 0);
    assert.ok(Number(is) <= 0.8 * Number(was), `${is} of ${was} deliveries`);
    assert.deepEqual(one.shadow, { [field]: one.to, days: 7 });
  };

  it('equal the backtest by hand, and lose nothing that somebody acknowledged', async function () {
    this.timeout(240_000);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(story, async ({ days, trigger, after, acknowledged }) => {
        clock.advance(HOURS * 3_600_000);
        const lived = await live(days, { trigger, acknowledged, after });
        const { suggestions, complete } = await suggest(`${queryOf(lived.range)}&trigger_id=${lived.triggerId}`);
        assert.equal(complete, true);
        assert.ok(suggestions.length <= 2);
        assert.equal(new Set(suggestions.map(({ field }: Fields) => field)).size, suggestions.length);
        for (const one of suggestions) await requireByHand(one, lived);
        count += suggestions.length;
        await ada.api.delete(`/triggers/${lived.triggerId}`);
      }),
      { numRuns: Number(process.env.SUGGESTION_RUNS ?? 15) },
    );
    assert.ok(count > 0, 'nothing was suggested at all');
  });

  const part = (length: number, value: number) => ({ length, value });
  /** Above 30 for two minutes each time, and once for an hour. */
  const spikes = (apart: number, count: number) => [
    ...Array.from({ length: count }, () => [part(2, 30.4), part(apart - 2, 28)]).flat(),
    ...[part(60, 35), part(30, 20)],
  ];
  const tooWarm = { name: 'too warm', expression: 'sensor_data_value > 30', repeat: 0 };

  it('wait for short alerts, or raise the limit', async () => {
    clock.advance(HOURS * 3_600_000);
    const { range, triggerId, sensorIds } = await live([spikes(72, 5)], { trigger: tooWarm, acknowledged: [5] });
    const { suggestions, start, end, complete } = await suggest(queryOf(range));
    assert.deepEqual([start, end, complete], [range.start_date, range.end_date, true]);
    const known = { trigger_id: triggerId, trigger_name: 'too warm', sensor_ids: sensorIds };
    const numbers = (episodes: number) => ({ episodes, deliveries: episodes, at_night: 0 });
    const shown = suggestions.map(({ before, after, lost, ...one }: Fields) => {
      assert.deepEqual(
        (lost as Span[]).map(({ date, ended }) => [date - range.start_date, (ended ?? 0) - date]),
        [0, 1, 2, 3, 4].map((at) => [(at * 72 + 1) * MINUTE, 2 * MINUTE]),
      );
      assert.deepEqual(
        [before, { ...(after as Fields), at_night: 0 }],
        [{ ...numbers(6), at_night: (before as Fields).at_night }, numbers(1)],
      );
      return one;
    });
    for (const { shadow } of suggestions) {
      assert.equal((await ada.api.post(`/triggers/${triggerId}/shadow`, { shadow })).status, 201);
      assert.equal((await ada.api.delete(`/triggers/${triggerId}/shadow`)).status, 200);
    }
    assert.deepEqual(shown, [
      {
        ...{ ...known, field: 'expression', from: 'sensor_data_value > 30', to: 'sensor_data_value > 30.45' },
        ...{ delay: { median: 0, longest: 0 }, lost_count: 5, merged: 0 },
        shadow: { expression: 'sensor_data_value > 30.45', days: 7 },
      },
      {
        ...{
          ...known,
          field: 'hold',
          from: 0,
          to: 120,
          delay: { median: 120, longest: 120 },
          lost_count: 5,
          merged: 0,
        },
        shadow: { hold: 120, days: 7 },
      },
    ]);
  });

  it('join alerts that follow each other, and lose none', async () => {
    clock.advance(HOURS * 3_600_000);
    const { range } = await live([spikes(15, 12)], { trigger: tooWarm, acknowledged: [12] });
    const { suggestions } = await suggest(queryOf(range));
    const shown = suggestions.map(({ field, to, after, lost_count, merged }: Fields) => [
      ...[field, to, (after as Fields).episodes, lost_count, merged],
    ]);
    assert.deepEqual(shown, [
      ['keep_firing_for', 900, 1, 0, 12],
      ['resolve_expression', 'sensor_data_value < 27.5', 1, 0, 12],
    ]);
  });

  it('keep every alert that somebody acknowledged', async () => {
    clock.advance(HOURS * 3_600_000);
    const all = Array.from({ length: 13 }, (_, at) => at);
    const { range } = await live([spikes(15, 12)], { trigger: tooWarm, acknowledged: all });
    assert.deepEqual((await suggest(queryOf(range))).suggestions, []);
  });

  it('are kept for some minutes, until the rule changes', async () => {
    clock.advance(HOURS * 3_600_000);
    const { range, triggerId } = await live([spikes(72, 5)], { trigger: tooWarm });
    const { backtests } = platform.container.services;
    const { run } = backtests;
    let runs = 0;
    backtests.run = (...given) => {
      runs += 1;
      return run.apply(backtests, given);
    };
    try {
      const first = await suggest(queryOf(range));
      assert.ok(first.suggestions.length > 0);
      assert.deepEqual(await suggest(queryOf(range)), first);
      assert.equal(runs, 1);
      assert.equal((await ada.api.put(`/triggers/${triggerId}`, { trigger: { repeat: 600 } })).status, 200);
      await suggest(queryOf(range));
      assert.equal(runs, 2);
    } finally {
      backtests.run = run;
    }
  });

  it('concern own triggers, and a range that can be tried', async () => {
    const query = queryOf(rangeNow());
    const foreign = await buildTrigger(other);
    assert.equal((await ada.api.get(`/reports/alerts/suggestions?${query}&trigger_id=${foreign}`)).status, 404);
    assert.equal((await ada.api.get('/reports/alerts/suggestions')).status, 400);
    assert.equal((await platform.anonymous.get(`/reports/alerts/suggestions?${query}`)).status, 401);
    const end = clock.now() / 1000;
    const { start } = await suggest(`start_date=0&end_date=${end}`);
    assert.equal(start, end - 31 * 86_400);
    const longer = await suggest(`start_date=${end - 3 * 86_400}&end_date=${end}&by=day`);
    assert.deepEqual([longer.start, longer.end], [end - 3 * 86_400, end], 'a field that this operation does not know');
  });

  it('end when the client has left', async () => {
    clock.advance(HOURS * 3_600_000);
    await live([spikes(15, 12)], { trigger: tooWarm });
    const closed = new AbortController();
    const { suggestions } = platform.container.services;
    const range = { startMs: clock.now() - HOURS * 3_600_000, endMs: clock.now() };
    const work = runCancellable(closed.signal, () => suggestions.suggest(Number(ada.id), range));
    closed.abort(new Error('gone'));
    await assert.rejects(work, /gone/);
  });
});
