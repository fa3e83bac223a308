import assert from 'node:assert/strict';
import fc from 'fast-check';
import { csvRows } from '../../support/csv-rows';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  createKey,
  type Fields,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import {
  type AlertOwner,
  episodesWithin,
  type StoredEpisode,
  sentMsOf,
  storeEpisodes,
} from '../../support/random-alerts';

const DAY = 86_400_000;
const ZONE = 'Europe/Berlin';
/** At noon, two days before the clocks are set back. */
const START = Date.parse('2026-10-23T12:00+02:00');
const END = Date.parse('2026-10-27T00:00+01:00');
const BOUNDS = [60, 300, 900, 3_600, 21_600, 86_400];
const BY = ['trigger', 'sensor', 'notification'] as const;
type By = (typeof BY)[number];

describe('the report on alerts', () => {
  const clock = fakeClock(END + DAY);
  const platform = usePlatform({ clock });
  const ada = useUserPerTest(platform);
  const other = useUser(platform);
  const receiver = useReceiver();

  const report = async (query: string, user: TestUser = ada) => {
    const { status, body } = await user.api.get(`/reports/alerts?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const range = (startMs: number, endMs: number) => `start_date=${startMs / 1000}&end_date=${endMs / 1000}`;

  const ownerOf = async (user: TestUser): Promise<AlertOwner> => {
    const sensorIds = [
      await buildSensor(user, { display_name: 'Hall' }),
      await buildSensor(user),
      await buildSensor(user),
    ];
    const triggerIds = [await buildTrigger(user), await buildTrigger(user), await buildTrigger(user)];
    const notificationIds = [await buildNotification(user, { name: 'Team' }), await buildNotification(user)];
    for (const sensorId of sensorIds)
      for (const triggerId of triggerIds) await connectTrigger(user, sensorId, triggerId);
    return { id: user.id, sensorIds, triggerIds, notificationIds };
  };

  it('counts what a naive count of the rows has, and nothing of others', async function () {
    this.timeout(240_000);
    const [own, foreign] = [await ownerOf(ada), await ownerOf(other)];
    const stories = fc.tuple(
      episodesWithin(START - DAY / 4, (END - START + DAY / 2) / 60_000),
      episodesWithin(START, (END - START) / 60_000),
    );
    await fc.assert(
      fc.asyncProperty(stories, async ([episodes, others]) => {
        for (const table of ['deliveries', 'firings']) await platform.query(`DELETE FROM ${table}`);
        await storeEpisodes(platform, own, episodes);
        await storeEpisodes(platform, foreign, others);
        for (const by of BY) {
          const { rows, summary, days, ...head } = await report(
            `${range(START, END)}&timezone=${ZONE}&by=${by}&total=1`,
          );
          const expected = naive(episodes, own, by);
          assert.deepEqual(summary, expected.summary);
          assert.deepEqual(
            Object.fromEntries(rows.map(({ id, name: _, ...numbers }: Fields) => [id, numbers])),
            expected.rows,
          );
          assert.deepEqual(days, expected.days);
          assert.deepEqual(head, {
            ...{ start: START / 1000, end: END / 1000, timezone: ZONE, by },
            ...{ total: rows.length, duration_bounds: BOUNDS },
          });
          const loudness = rows.map(({ deliveries, episodes: count }: Record<string, number>) => [deliveries, count]);
          assert.deepEqual(
            loudness,
            [...loudness].sort(([a, b], [c, d]) => c - a || d - b),
          );
        }
      }),
      { numRuns: Number(process.env.NOISE_RUNS ?? 15) },
    );
  });

  it('has the alerts that happened, by name, also as CSV', async () => {
    const sensorId = await buildSensor(ada, { display_name: 'Freezer 3', data_type: 'float' });
    const triggerId = await buildTrigger(ada, {
      name: 'too warm',
      expression: 'sensor_data_value > 5',
      notify_resolved: true,
    });
    const quiet = await buildTrigger(ada, { name: 'calm', expression: 'sensor_data_value > 100' });
    for (const one of [triggerId, quiet]) await connectTrigger(ada, sensorId, one);
    const notificationId = await buildNotification(ada, { name: 'Team', destination: `${receiver.url}/team` });
    await connectNotification(ada, sensorId, triggerId, notificationId);
    const startMs = clock.now();
    for (const value of [7, 8, 1, 9]) {
      await upload(ada, sensorId, { value, date: clock.now() / 1000 });
      await platform.settle();
      clock.advance(90_000);
    }
    const { firings } = (await ada.api.get('/firings?state=firing')).body;
    assert.equal((await ada.api.post(`/firings/${firings[0].id}/acknowledge`)).status, 200);
    const query = range(startMs, clock.now() + 1);
    const { rows, summary, timezone, days } = await report(query);
    const numbers = {
      ...{ episodes: 2, firings: 3, deliveries: 4, acknowledged: 1, median_to_acknowledge: 90, median_duration: 180 },
      ...{ ended_alone: 1, at_night: summary.at_night, durations: [0, 1, 0, 0, 0, 0, 0] },
    };
    assert.deepEqual(rows, [{ id: triggerId, name: 'too warm', ...numbers }]);
    assert.deepEqual([summary, timezone], [numbers, 'UTC']);
    assert.deepEqual(
      days.map(({ deliveries }: Fields) => deliveries),
      [4],
    );
    assert.equal((await report(`${query}&by=sensor`)).rows[0].name, 'Freezer 3');
    const [{ id, name, deliveries }] = (await report(`${query}&by=notification`)).rows;
    assert.deepEqual([id, name, deliveries], [notificationId, 'Team', 4]);
    const csv = await ada.api.get(`/reports/alerts.csv?${query}`);
    const { names, rows: lines } = csvRows(csv.body);
    assert.deepEqual(names.slice(0, 4), ['id', 'name', 'episodes', 'firings']);
    assert.deepEqual([lines.length, lines[0]?.name, lines[0]?.median_duration], [1, 'too warm', '180']);
  });

  it('uses the zone of the account, and leaves out what was deleted', async () => {
    const own = await ownerOf(ada);
    await ada.api.put(`/users/${ada.id}`, { user: { timezone: ZONE } });
    const sent = { notification: 0, kind: 'firing', status: 'delivered', sentAfterMs: 0, digest: null } as const;
    const at = (time: string, trigger: number): StoredEpisode => ({
      ...{ sensor: 0, trigger, endedMs: null, acknowledgedMs: null },
      firings: [{ firedMs: Date.parse(`2026-10-24T${time}+02:00`), deliveries: [sent] }],
    });
    await storeEpisodes(platform, own, [at('21:59:59', 0), at('22:00', 0), at('22:30', 1)]);
    await ada.api.delete(`/triggers/${own.triggerIds[1]}`);
    await ada.api.delete(`/notifications/${own.notificationIds[0]}`);
    const { summary, timezone } = await report(range(START, END));
    assert.deepEqual([summary.episodes, summary.at_night, timezone], [2, 1, ZONE]);
    const { rows } = await report(`${range(START, END)}&by=notification`);
    assert.deepEqual(
      rows.map(({ id, name }: Fields) => [id, name]),
      [[own.notificationIds[0], null]],
    );
    assert.equal(
      (await report(range(START, END), other)).rows.some(({ id }: Fields) => id === own.triggerIds[0]),
      false,
    );
  });

  it('has pages, and refuses what it cannot report', async () => {
    const own = await ownerOf(ada);
    const sent = { notification: 0, kind: 'firing', status: 'delivered', sentAfterMs: 0, digest: null } as const;
    await storeEpisodes(
      platform,
      own,
      [0, 1, 1].map((trigger, minute) => ({
        ...{ sensor: 0, trigger, endedMs: null, acknowledgedMs: null },
        firings: [{ firedMs: START + minute * 60_000, deliveries: [sent] }],
      })),
    );
    const second = await report(`${range(START, END)}&page=1&per_page=1&total=1`);
    assert.deepEqual([second.rows.map(({ id }: Fields) => id), second.total], [[own.triggerIds[0]], 2]);
    assert.equal(second.summary.episodes, 3);
    const empty = await report(range(END + 2 * DAY, END + 9 * DAY));
    assert.deepEqual([empty.rows, empty.days], [[], []]);
    const fieldsOf = async (query: string) => {
      const { status, body } = await ada.api.get(`/reports/alerts?${query}`);
      assert.equal(status, 400, query);
      return Object.keys(body.fields);
    };
    assert.deepEqual(await fieldsOf(`start_date=${START / 1000}`), ['end_date']);
    assert.deepEqual(await fieldsOf(range(END, START)), ['end_date']);
    assert.deepEqual(await fieldsOf(range(START - 500 * DAY, START)), ['end_date']);
    assert.deepEqual(await fieldsOf(`${range(START, END)}&by=day`), ['by']);
    assert.deepEqual(await fieldsOf(`${range(START, END)}&timezone=Mars`), ['timezone']);
    assert.equal((await platform.anonymous.get(`/reports/alerts?${range(START, END)}`)).status, 401);
    const { secret } = await createKey(ada, { scopes: ['read'], sensors: [own.sensorIds[0]] });
    const { status } = await platform.anonymous.get(`/reports/alerts?${range(START, END)}`, {
      Authorization: `Bearer ${secret}`,
    });
    assert.equal(status, 403);
  });
});

/** Looks at each row again for each number. */
function naive(episodes: readonly StoredEpisode[], { sensorIds, triggerIds, notificationIds }: AlertOwner, by: By) {
  const isIn = (ms: number) => ms >= START && ms < END;
  const firings = episodes.flatMap((episode) => episode.firings.map((firing) => ({ episode, ...firing })));
  const inRange = firings.filter(({ firedMs }) => isIn(firedMs));
  type Firing = (typeof inRange)[number];
  const arrivedOf = ({ deliveries }: Firing) => deliveries.filter(({ status }) => status === 'delivered');
  const messages = (of: readonly Firing[], onlyTo?: number) => {
    const found = new Map<string, Firing>();
    const times = new Map<string, number>();
    of.forEach((firing, place) => {
      for (const one of arrivedOf(firing)) {
        if (onlyTo !== undefined && one.notification !== onlyTo) continue;
        const key =
          one.digest === null ? `${place} ${one.notification} ${one.kind}` : `digest ${one.notification} ${one.digest}`;
        if (found.has(key)) continue;
        found.set(key, firing);
        times.set(key, sentMsOf(firing, one));
      }
    });
    return [...found].map(([key, { firedMs }]) => ({ firedMs, sentMs: times.get(key) ?? 0 }));
  };
  const numbersOf = (of: readonly Firing[], begun: readonly StoredEpisode[], onlyTo?: number) => {
    const seconds = (ends: (episode: StoredEpisode) => number | null) =>
      begun
        .flatMap((episode) => {
          const end = ends(episode);
          return end === null ? [] : [(end - episode.firings[0].firedMs) / 1000];
        })
        .sort((a, b) => a - b);
    const [waits, lengths] = [seconds(({ acknowledgedMs }) => acknowledgedMs), seconds(({ endedMs }) => endedMs)];
    const sent = messages(of, onlyTo);
    return {
      ...{ episodes: begun.length, firings: of.length, deliveries: sent.length },
      at_night: sent.filter(({ sentMs }) => isNight(sentMs)).length,
      acknowledged: waits.length,
      median_to_acknowledge: waits[Math.ceil(waits.length / 2) - 1] ?? null,
      median_duration: lengths[Math.ceil(lengths.length / 2) - 1] ?? null,
      ended_alone: begun.filter(
        ({ firings: [{ firedMs }], endedMs, acknowledgedMs }) =>
          acknowledgedMs === null && endedMs !== null && endedMs <= firedMs + 300_000,
      ).length,
      durations: [0, ...BOUNDS].map(
        (from, at) =>
          lengths.filter((length) => length >= from && length < (BOUNDS[at] ?? Number.POSITIVE_INFINITY)).length,
      ),
    };
  };
  const sorted = [...inRange].sort((a, b) => a.firedMs - b.firedMs);
  const begun = episodes.filter(({ firings: [{ firedMs }] }) => isIn(firedMs));
  const ids = { trigger: triggerIds, sensor: sensorIds, notification: notificationIds }[by];
  const rows = ids.flatMap((id, place) => {
    const isOf = ({ sensor, trigger }: StoredEpisode) => (by === 'sensor' ? sensor : trigger) === place;
    const reaches = (firing: Firing) => arrivedOf(firing).some(({ notification }) => notification === place);
    const of = sorted.filter((firing) => (by === 'notification' ? reaches(firing) : isOf(firing.episode)));
    const own = begun.filter((one) => (by === 'notification' ? of.some(({ episode }) => episode === one) : isOf(one)));
    return of.length === 0 ? [] : [[id, numbersOf(of, own, by === 'notification' ? place : undefined)] as const];
  });
  const dayOf = (ms: number) => new Date(ms).toLocaleDateString('sv-SE', { timeZone: ZONE });
  const days = ['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-26'].map((date, at) => {
    const sent = messages(sorted).filter(({ firedMs }) => dayOf(firedMs) === date);
    return {
      date,
      start: (at === 0 ? START : Date.parse(`${date}T00:00${at === 3 ? '+01:00' : '+02:00'}`)) / 1000,
      episodes: begun.filter(({ firings: [{ firedMs }] }) => dayOf(firedMs) === date).length,
      ...{ deliveries: sent.length, at_night: sent.filter(({ sentMs }) => isNight(sentMs)).length },
    };
  });
  return { summary: numbersOf(sorted, begun), rows: Object.fromEntries(rows), days };
}

function isNight(ms: number): boolean {
  const hour = Number(new Date(ms).toLocaleString('en-GB', { timeZone: ZONE, hour: '2-digit', hourCycle: 'h23' }));
  return hour >= 22 || hour < 7;
}
