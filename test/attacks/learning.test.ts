import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2';
import { buildSensor, buildService, upload } from '../support/factories';
import { someAtOnce } from '../support/fleet';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const START = 1_700_000_000;
const SENSORS = 100;
const FIELDS = 16;
const WINDOWS = 400;
const SHORTEST_WINDOW = 0.1;
const LONG_NAME = 3_900;
const STATISTICS = 20;
const POINTS = 10_000;
const CHANGED_MS = 15_000;
const GUESTS = 100;
const WINDOW_POINTS = 4_900;
/** As many windows as an expression has room for. */
const QUANTILES = Array.from({ length: 30 }, (_, at) => `quantile_over_time(0.${at + 10},x,86400)`).join('+');

/** Fields with numbers, as many as recognition uses. */
function fieldsOf(seed: number, prefix = 'f'): Record<string, number> {
  const fields = Array.from({ length: FIELDS }, (_, at) => [`${prefix}${at}`, Math.sin(seed * (at + 1))] as const);
  return Object.fromEntries(fields);
}

/** Points that are a window apart. */
function points(count: number, valueAt: (at: number) => unknown, every = 1) {
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => ({
    value: valueAt(at),
    date: START + at * every * SHORTEST_WINDOW,
  }));
}

describe('an attack by what services learn and compute', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform({}, { apis: 2, workers: 2 });
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const friend = useUser(platform);

  async function recogniser(...sensorIds: string[]): Promise<string> {
    const path = `/sensors/${sensorIds[0]}/services/${await buildService(attacker, 'state_recognition_service', ...sensorIds)}`;
    const { status } = await attacker.api.post(`${path}/SetWindow`, { parameters: [String(SHORTEST_WINDOW)] });
    assert.equal(status, 200);
    return path;
  }

  /** One with as many sensors and fields as it may have, and their points. */
  async function recogniserOfAll(): Promise<string> {
    const sensorIds: string[] = [];
    for (let at = 0; at < SENSORS; at += 1) sensorIds.push(await buildSensor(attacker, { data_type: 'json' }));
    const path = await recogniser(...sensorIds);
    for (const [at, id] of sensorIds.entries()) {
      await upload(
        attacker,
        id,
        points(WINDOWS, (seed) => fieldsOf(seed + at), at === 0 ? 1 : 10),
      );
    }
    return path;
  }

  /** Learns, or is refused. */
  async function learn(path: string, label: string, from = START, until = START + WINDOWS) {
    const range = { start_date: from, end_date: until, class_label: label };
    return (await attacker.api.post(`${path}/manualLearn`, range)).status;
  }

  it('with 16 fields of each of 100 sensors in 400 windows delays nobody', async () => {
    const path = await recogniserOfAll();
    await bystander.during(async () => {
      const answers = await Promise.all(['a', 'b'].map((label) => learn(path, label)));
      assert.deepEqual(answers, [200, 200]);
      const half = START + (WINDOWS * SHORTEST_WINDOW) / 2;
      await learn(path, 'c', START, half);
      await learn(path, 'd', half + 1, half + 100);
    });
  });

  it('with a full model that four changes at a time make computed again and again delays nobody', async () => {
    const path = await recogniserOfAll();
    assert.deepEqual(await Promise.all(['a', 'b'].map((label) => learn(path, label))), [200, 200]);
    const statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      const endMs = Date.now() + CHANGED_MS;
      const change = async (label: string, url: string) => {
        for (let from = START; Date.now() < endMs; from += 1) {
          const body = { start_date: from % (START + 300), end_date: (from % (START + 300)) + 10, class_label: label };
          const headers = { 'X-SESSION_ID': attacker.session, 'Content-Type': 'application/json' };
          const { status } = await fetch(`${url}${path}/manualLearn`, {
            ...{ method: 'POST', headers, body: JSON.stringify(body) },
          });
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      };
      await Promise.all(platform.urls.flatMap((url, at) => ['c', 'd'].map((label) => change(`${label}${at}`, url))));
    });
    console.log(`      ${JSON.stringify(seen)} ${JSON.stringify(statuses)}`);
  });

  it('with fields of 3,900 characters in 400 windows delays nobody', async () => {
    const id = await buildSensor(attacker, { data_type: 'json' });
    const path = await recogniser(id);
    const all = points(WINDOWS, (seed) => fieldsOf(seed, 'x'.repeat(LONG_NAME)));
    for (let from = 0; from < WINDOWS; from += 100) await upload(attacker, id, all.slice(from, from + 100));
    await bystander.during(async () => {
      await Promise.all(['a', 'b'].map((label) => learn(path, label)));
      const half = START + (WINDOWS * SHORTEST_WINDOW) / 2;
      await learn(path, 'c', START, half);
      await learn(path, 'd', half + 1, half + 100);
    });
  });

  it('with statistics of another user over 5,000 points delays nobody', async () => {
    const id = await buildSensor(attacker, { data_type: 'float' });
    const shared = await attacker.api.post(`/sensors/${id}/users`, { user: { id: friend.id } });
    assert.ok(shared.status < 300, JSON.stringify(shared.body));
    for (let at = 0; at < STATISTICS; at += 1) {
      const service = await buildService(friend, 'statistics_service', id);
      const set = await friend.api.post(`/sensors/${id}/services/${service}/SetWindow`, {
        parameters: ['5000', 'points'],
      });
      assert.equal(set.status, 200);
    }
    await bystander.during(async () => {
      for (let round = 0; round < 5; round += 1) {
        const data = Array.from({ length: POINTS }, (_, at) => ({ value: at, date: START + round * POINTS + at }));
        await attacker.api.post(`/sensors/${id}/data`, { data });
        await sleep(1_000);
      }
      await sleep(15_000);
    });
  });

  it(`with services of ${GUESTS} other accounts on one sensor, over 5,000 points each, delays nobody`, async () => {
    const id = await buildSensor(attacker, { data_type: 'float' });
    const start = START - WINDOW_POINTS;
    await upload(
      attacker,
      id,
      Array.from({ length: WINDOW_POINTS }, (_, at) => ({ value: at % 97, date: start + at })),
    );
    await someAtOnce(GUESTS, async () => {
      const guest = await platform.user();
      // A user may share with 60 others an hour.
      await platform.pool.query('INSERT INTO sensor_users (sensor_id, user_id, created_ms) VALUES (?)', [
        [id, guest.id, 1],
      ]);
      const service = await buildService(guest, 'math_service', id);
      const parameters = [QUANTILES.replaceAll('x', `_${id}`)];
      const set = await guest.api.post(`/sensors/${id}/services/${service}/SetExpression`, { parameters });
      assert.equal(set.status, 200, JSON.stringify(set.body));
    });
    const seen = await bystander.during(async () => {
      for (let round = 0; round < 15; round += 1) {
        const data = Array.from({ length: 20 }, (_, at) => ({ value: at, date: START + round * 20 + at }));
        await attacker.api.post(`/sensors/${id}/data`, { data });
        await sleep(1_000);
      }
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('with windows of a tenth of a second and a full model delays nobody', async () => {
    const id = await buildSensor(attacker, { data_type: 'json' });
    const path = await recogniser(id);
    await upload(
      attacker,
      id,
      points(2 * WINDOWS, (seed) => fieldsOf(seed)),
    );
    const half = WINDOWS * SHORTEST_WINDOW;
    for (const [label, from] of [
      ['a', START],
      ['b', START + half],
    ] as const) {
      assert.equal(await learn(path, label, from, from + half - 0.1), 200);
    }
    const cheap = await buildSensor(attacker);
    await buildService(attacker, 'foreground_app_filter', await buildSensor(attacker, { data_type: 'string' }));
    await bystander.during(async () => {
      for (let round = 1; round < 6; round += 1) {
        const data = points(5_000, (seed) => ({ f1: seed })).map(({ value, date }) => ({
          value,
          date: date + round * 1_000,
        }));
        await attacker.api.post(`/sensors/${id}/data`, { data });
        await attacker.api.post(`/sensors/${cheap}/data`, { data: [{ value: 1 }] });
        await sleep(1_000);
      }
      await sleep(15_000);
    });
  });

  it('with 100 services that each keep 30 values of 64 KB delays nobody', async () => {
    const id = await buildSensor(attacker, { data_type: 'json' });
    const sensors = await Promise.all(Array.from({ length: 29 }, () => buildSensor(attacker, { data_type: 'json' })));
    const value = JSON.stringify({ a: 'x'.repeat(64_000) });
    const newest = Object.fromEntries([id, ...sensors].map((sensor) => [sensor, { value, dateMs: 1 }]));
    const memory = JSON.stringify({ newest, writtenMs: 0 });
    for (let at = 0; at < SENSORS; at += 1) {
      const service = await buildService(attacker, 'math_service', id);
      const rows = sensors.map((sensor) => [service, sensor, '[]']);
      await platform.pool.query('INSERT INTO service_inputs (service_id, sensor_id, data_fields) VALUES ?', [rows]);
      await platform.pool.query('UPDATE services SET memory = ? WHERE id = ?', [memory, service]);
    }
    const seen = await bystander.during(async () => {
      for (let round = 0; round < 20; round += 1) {
        await attacker.api.post(`/sensors/${id}/data`, { data: [{ value: { a: round } }] });
        await sleep(1_000);
      }
    });
    const [refused] = await platform.pool.query<RowDataPacket[]>(
      "SELECT id FROM services WHERE last_error LIKE 'too expensive%'",
    );
    console.log(`      ${JSON.stringify(seen)} ${refused.length} were too expensive`);
    assert.ok(refused.length > 0 && refused.length < SENSORS, `${refused.length} were too expensive`);
  });
});
