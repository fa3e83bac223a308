import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeriesPoint } from '../../../src/gateways/protocols/series';
import { buildSensor, buildTrigger, createKey } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { startApiElsewhere } from '../../support/other-process';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';

const NAMES = 40;
const AGENTS = 8;
const KILLS = 3;
const DATE_MS = 1_795_229_544_000;
const REQUEST_MS = 20_000;

describe('new series', function () {
  this.timeout(300_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let apis: { child: ChildProcess; url: string }[] = [];
  let key = '';

  before(async () => {
    apis = await Promise.all([start(), start()]);
  });
  beforeEach(async () => {
    key = await newKey();
  });
  after(() => {
    for (const { child } of apis) child.kill('SIGKILL');
  });

  const newKey = async (fields: object = {}) =>
    (await createKey(user, { scopes: ['data:write', 'sensors:create'], create_limit: 100_000, ...fields })).secret;
  const start = async (settings: Record<string, string> = {}) => {
    const api = await startApiElsewhere(platform, platform.container.config.redisUrl, settings);
    const isReady = async () => (await fetch(`${api.url}/readyz`).catch(() => undefined))?.status === 200;
    await until('the API is ready', isReady);
    return api;
  };
  const write = async (url: string, body: string, secret = key) => {
    const headers = { authorization: `Token ${secret}` };
    const signal = AbortSignal.timeout(REQUEST_MS);
    return (await fetch(`${url}/api/v2/write`, { method: 'POST', headers, body, signal })).status;
  };
  const line = (name: string, at: number) => `${name},of=test value=${at} ${DATE_MS + at}000000`;
  const urlOf = (index: number) => apis[index % apis.length]?.url ?? assert.fail();
  const series = async () => (await user.api.get('/series?per_page=1000')).body.series;
  const numbers = async () => {
    const [row] = await platform.query(
      `SELECT (SELECT COUNT(*) FROM sensors WHERE owner_id = ?) AS sensors, (SELECT COUNT(*) FROM series WHERE owner_id = ?) AS names,
         (SELECT COUNT(DISTINCT sensor_id) FROM series WHERE owner_id = ?) AS used,
         (SELECT COUNT(*) FROM metatags WHERE owner_id = ?) AS metatags`,
      [user.id, user.id, user.id, user.id],
    );
    return [row?.sensors, row?.names, row?.used, row?.metatags].map(Number);
  };
  /** How many points of each name are stored. */
  const stored = async () => {
    const rows = await platform.query(
      `SELECT n.name, COUNT(*) AS points, COUNT(DISTINCT p.value) AS different FROM series n JOIN data_points p ON p.sensor_id = n.sensor_id
       WHERE n.owner_id = ? GROUP BY n.name`,
      [user.id],
    );
    return new Map(rows.map(({ name, points, different }) => [String(name), [Number(points), Number(different)]]));
  };

  it('get one sensor each, whichever processes see them at the same moment', async () => {
    const body = (at: number) => Array.from({ length: NAMES }, (_, index) => line(`m${index}`, at)).join('\n');
    const statuses = await Promise.all(Array.from({ length: 2 * AGENTS }, (_, at) => write(urlOf(at), body(at))));
    assert.deepEqual(new Set(statuses), new Set([204]));
    assert.deepEqual(await numbers(), [NAMES, NAMES, NAMES, NAMES]);
    for (const [name, points] of await stored()) assert.deepEqual(points, [2 * AGENTS, 2 * AGENTS], name);
  });

  it('are made whole or not at all by processes that are killed, and repeated requests store each point once', async () => {
    let isOver = false;
    const sent = new Map<string, number>();
    const repeat = async (body: string, agent: number) => {
      for (let tries = 0; tries < 2_000; tries += 1) {
        const status = await write(urlOf(agent + tries), body).catch(() => 0);
        if (status === 204) return;
        assert.ok(status === 0 || status >= 500, `${status}`);
        await sleep(50);
      }
      assert.fail('a request was never stored');
    };
    const agents = Array.from({ length: AGENTS }, async (_, agent) => {
      for (let at = 0; !isOver; at += 1) {
        await sleep(25);
        // Two agents report each name.
        const names = Array.from({ length: 10 }, (_unused, index) => `a${agent >> 1}r${at}i${index}`);
        await repeat(names.map((name) => line(name, agent)).join('\n'), agent);
        for (const name of names) sent.set(`${name},of=test`, (sent.get(`${name},of=test`) ?? 0) + 1);
      }
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(150 + 130 * kill);
      const victim = apis[kill % apis.length] ?? assert.fail();
      victim.child.kill('SIGKILL');
      await once(victim.child, 'exit');
      apis[kill % apis.length] = await start({ PORT: new URL(victim.url).port });
    }
    isOver = true;
    await Promise.all(agents);
    const [sensors, names, used, metatags] = await numbers();
    assert.ok(sent.size > 100, `only ${sent.size} names`);
    assert.deepEqual([sensors, names, used, metatags], Array(4).fill(sent.size));
    const found = await stored();
    assert.deepEqual(new Map([...sent].map(([name, count]) => [name, [count, count]])), found);
  });

  it('that are led elsewhere send no point to the former sensor once that was answered', async () => {
    await write(urlOf(0), line('m', 0));
    const [{ id, sensor_id: former }] = await series();
    let isOver = false;
    let at = 0;
    const dates = { before: 0, sentAfter: [] as number[] };
    const agents = Array.from({ length: AGENTS }, async (_, agent) => {
      while (!isOver) {
        at += 1;
        const mine = at;
        if (dates.before > 0) dates.sentAfter.push(mine);
        assert.equal(await write(urlOf(agent), line('m', mine)), 204);
      }
    });
    await sleep(300);
    const other = await buildSensor(user);
    assert.equal((await user.api.put(`/series/${id}`, { sensor_id: other })).status, 200);
    dates.before = at;
    await sleep(300);
    isOver = true;
    await Promise.all(agents);
    const rows = await platform.query('SELECT sensor_id AS sensor, value FROM data_points WHERE sensor_id IN (?)', [
      [former, other],
    ]);
    assert.equal(rows.length, at + 1);
    const sensorOf = new Map(rows.map(({ sensor, value }) => [Number(value), String(sensor)]));
    assert.ok(dates.sentAfter.length > 10);
    assert.deepEqual(new Set(dates.sentAfter.map((one) => sensorOf.get(one))), new Set([other]));
  });

  it('whose sensors are deleted meanwhile get others, and no point is left without a sensor', async () => {
    let isOver = false;
    let at = 0;
    const statuses = new Set<number>();
    const agents = Array.from({ length: AGENTS }, async (_, agent) => {
      while (!isOver) {
        at += 1;
        statuses.add(await write(urlOf(agent), ['m0', 'm1', 'm2'].map((name) => line(name, at)).join('\n')));
      }
    });
    for (let deletion = 0; deletion < 10; deletion += 1) {
      const all = await series();
      if (all.length > 0) await user.api.delete(`/sensors/${all[deletion % all.length].sensor_id}`);
      await sleep(50);
    }
    isOver = true;
    await Promise.all(agents);
    assert.deepEqual(
      [...statuses].filter((status) => status !== 204 && status !== 503),
      [],
    );
    assert.equal(await write(urlOf(0), ['m0', 'm1', 'm2'].map((name) => line(name, at + 1)).join('\n')), 204);
    assert.deepEqual((await numbers()).slice(0, 3), [3, 3, 3]);
    const orphans = await platform.query(
      `SELECT p.sensor_id FROM data_points p LEFT JOIN sensors s ON s.id = p.sensor_id LEFT JOIN purge_queue q ON q.kind = 'sensor' AND q.thing_id = p.sensor_id
       WHERE s.id IS NULL AND q.thing_id IS NULL`,
    );
    assert.deepEqual(orphans, []);
  });

  it('are not made any more once their account is closed', async () => {
    let isOver = false;
    let at = 0;
    const statuses = new Set<number>();
    const agents = Array.from({ length: AGENTS }, async (_, agent) => {
      while (!isOver) {
        at += 1;
        statuses.add(await write(urlOf(agent), line(`m${at}`, at)));
      }
    });
    await sleep(200);
    assert.equal((await user.api.delete(`/users/${user.id}`)).status, 200);
    const before = await numbers();
    await sleep(200);
    isOver = true;
    await Promise.all(agents);
    assert.deepEqual(statuses, new Set([204, 401]));
    const after = await numbers();
    assert.ok(
      after.every((count, index) => count <= (before[index] ?? 0)),
      `${before} became ${after}`,
    );
  });

  it('are counted against the limit of their key as it is at that moment, in every process', async () => {
    const { id, secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'], create_limit: 1 });
    assert.equal(await write(urlOf(0), line('a', 1), secret), 204);
    assert.equal(await write(urlOf(1), line('b', 1), secret), 403);
    assert.equal((await user.api.put(`/keys/${id}`, { key: { create_limit: 2 } })).status, 200);
    assert.equal(await write(urlOf(1), line('b', 1), secret), 204);
    assert.equal((await user.api.put(`/keys/${id}`, { key: { create_limit: 0 } })).status, 200);
    assert.deepEqual(await Promise.all([0, 1].map((api) => write(urlOf(api), line(`c${api}`, 1), secret))), [403, 403]);
    assert.equal((await numbers())[0], 2);
  });

  it('are stored by a limited key as far as it reaches', async () => {
    await write(urlOf(0), `${line('a', 1)}\n${line('b', 1)}`);
    const [{ sensor_id: first }] = await series();
    const limited = await newKey({ sensors: [first], scopes: ['data:write'] });
    assert.equal(await write(urlOf(0), `${line('a', 2)}\n${line('b', 2)}\n${line('c', 2)}`, limited), 403);
    assert.deepEqual(
      [...(await stored())],
      [
        ['a,of=test', [2, 2]],
        ['b,of=test', [1, 1]],
      ],
    );
  });

  it('are followed by triggers that select their tags, which fire on their second point', async () => {
    const triggerId = await buildTrigger(user, {
      expression: 'sensor_data_value > 0',
      selector: {
        namespace: 'influx',
        filter: { metatag_statement_groups: [[{ metatag_name: 'of', operator: 'equal', value: 'test' }]] },
      },
    });
    await platform.startWorkers(ALL_WORK);
    try {
      await write(urlOf(0), line('followed', 1));
      const [{ sensor_id: sensorId }] = await series();
      const record = async () => await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}`);
      await until('the trigger follows', async () => (await record()).status === 200);
      await write(urlOf(1), line('followed', 2));
      await until('it has fired', async () => (await record()).body.trigger.times_triggered === 1);
    } finally {
      await platform.stopWorkers();
    }
  });

  it('are stored in a single transaction with what belongs to it, however many there are', async () => {
    const { seriesWriter } = platform.container.services;
    const points = Array.from({ length: 2_500 }, (_, index): SeriesPoint => {
      const names = { name: `hall/${index}`, title: String(index), source: 'mqtt' };
      const series = { namespace: 'mqtt' as const, ...names, dataType: 'float' as const, tags: {}, units: {} };
      return { series, value: '1', dateMs: DATE_MS };
    });
    const owner = { userId: Number(user.id), maker: { by: 'mqtt:1', limit: 100_000 } };
    let calls = 0;
    const alongside = async () => {
      calls += 1;
      return 'new' as const;
    };
    const { accepted } = await seriesWriter.write(owner, points, DATE_MS, { alongside });
    assert.deepEqual([accepted, calls], [2_500, 1]);
  });
});
