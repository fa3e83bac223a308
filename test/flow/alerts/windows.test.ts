import assert from 'node:assert/strict';
import type { Pool } from 'mysql2/promise';
import { type Alarm, buildAlarm, buildAlarms } from '../../support/alarm';
import { buildSensor, buildTrigger, type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';

describe('triggers with windows', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock, config: { SENSOR_PARTITIONS: '1' } });
  const receiver = useReceiver();
  const user = useUser(platform);

  beforeEach(() => clock.advance(3_600_000));

  const now = () => clock.now() / 1000;
  const alarm = (expression: string, sensor: Fields = {}) =>
    buildAlarm(user, { sensor, trigger: { expression }, notifications: [] });
  const send = async ({ sensorId }: { sensorId: string }, ...data: Fields[]) => {
    await upload(user, sensorId, data);
    await platform.settle();
  };
  const decisions = async ({ sensorId, triggerId }: Pick<Alarm, 'sensorId' | 'triggerId'>) =>
    (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/decisions`)).body.decisions;
  /** The reason, or the error, of the latest decision. */
  const latest = async (one: Pick<Alarm, 'sensorId' | 'triggerId'>): Promise<string> => {
    const [decision] = await decisions(one);
    return decision.error || decision.reason;
  };

  it('fire by the points of their window, and deliver', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'sum_over_time(sensor_data_value > 30, 600) >= 3' },
      notifications: [{ destination: receiver.url, text: 'three of $sensor_data_value' }],
    });
    for (const [value, wait] of [
      [31, 0],
      [32, 100],
      [20, 100],
      [33, 401],
      [34, 10],
    ] as const) {
      clock.advance(wait * 1000);
      await send({ sensorId }, { value, date: now() });
    }
    assert.deepEqual(
      receiver.received.map(({ form }) => form.text),
      ['three of 34'],
    );
  });

  it('hold the points up to the evaluated one, when many arrive at once', async () => {
    const one = await alarm('count_over_time(sensor_data_value, 60) == 3 and delta(sensor_data_value, 60) == 20');
    const data = [10, 20, 30, 40, 50].map((value, index) => ({ value, date: now() - 100 + index * 20 }));
    await send(one, ...data);
    const made = await decisions(one);
    assert.deepEqual(
      made.map(({ reason, value }: Fields) => [reason, value]),
      [
        ['once-a-minute', '50'],
        ['once-a-minute', '40'],
        ['fired', '30'],
        ['false', '20'],
        ['false', '10'],
      ],
    );
  });

  it('count late, replaced and deleted points from the next point on', async () => {
    const one = await alarm('sum_over_time(sensor_data_value, 100) == 111');
    await send(one, { value: 1, date: now() });
    await send(one, { value: 5, date: now() - 10 });
    await send(one, { value: 10, date: now() - 10 });
    await send(one, { value: 100, date: now() + 1 });
    assert.equal(await latest(one), 'fired');
    await user.api.delete(`/sensors/${one.sensorId}/data?start_date=${now() - 20}&end_date=${now() - 1}`);
    await send(one, { value: 10, date: now() + 2 });
    assert.equal(await latest(one), 'once-a-minute');
    await send(one, { value: 1, date: now() + 3 });
    assert.equal(await latest(one), 'resolved');
  });

  it('read long JSON values, and fields of them', async () => {
    const one = await alarm('avg_over_time(sensor_data_value.lux, 100) == 2', { data_type: 'json' });
    const long = 'x'.repeat(400);
    await send(one, { value: { lux: 1, long }, date: now() });
    await send(one, { value: { lux: 3 }, date: now() + 1 }, { value: { warm: 3 }, date: now() + 2 });
    assert.equal(await latest(one), 'once-a-minute');
  });

  it('compare and count whole values that are lists or objects, and find no numbers in them', async () => {
    const [stuck, counted, summed, compared] = await Promise.all(
      [
        'changes(sensor_data_value, 3600) == 0 and count_over_time(sensor_data_value, 3600) > 1',
        'count_over_time(sensor_data_value, 3600) == 0',
        'sum_over_time(sensor_data_value, 3600) < 1',
        'avg_over_time(sensor_data_value > 3, 3600) < 1',
      ].map((expression) => alarm(expression, { data_type: 'json' })),
    );
    const all = [stuck, counted, summed, compared].flatMap((one) => one ?? []);
    const places = [
      { lat: 51.1, lon: 4 },
      { lon: 4, lat: 51.2 },
      { lon: 4, lat: 51.2 },
    ];
    for (const one of all) {
      for (const value of places) {
        clock.advance(1_000);
        await send(one, { value, date: now() });
      }
    }
    const [first, second, third, fourth] = await Promise.all(all.map(latest));
    assert.deepEqual([first, second], ['false', 'false']);
    assert.match(third ?? '', /^"sum_over_time" needs 1 or more numbers within 3600 seconds, and has 0$/);
    assert.match(fourth ?? '', /^"avg_over_time" needs 1 or more numbers/);
    const [still] = all;
    clock.advance(3_600_000);
    for (const value of [
      [1, 2],
      [1, 2],
    ]) {
      clock.advance(1_000);
      if (still) await send(still, { value, date: now() });
    }
    assert.equal(still && (await latest(still)), 'fired');
  });

  it('count no step of a counter that dips, with a third argument', async () => {
    const minutes = [
      [1000, 1000.5, 1000.4, 1001],
      [3746, 3746.1, 0, 3746.2],
    ];
    for (const values of minutes) {
      const [plain, dipping] = [
        await alarm('increase(sensor_data_value, 3600) > 50'),
        await alarm('increase(sensor_data_value, 3600, 1) > 50'),
      ];
      for (const value of values) {
        clock.advance(60_000);
        for (const one of [plain, dipping]) await send(one, { value, date: now() });
      }
      const reasons = async (one: Alarm) => (await decisions(one)).map(({ reason }: Fields) => reason);
      assert.ok((await reasons(plain)).includes('fired'), 'a dip is a restart');
      assert.deepEqual(
        new Set(await reasons(dipping)),
        new Set(['false', 'cannot-be-evaluated']),
        'the first point has no increase',
      );
    }
  });

  it('cannot be evaluated where the values are too large together', async () => {
    const one = await alarm('count_over_time(sensor_data_value, 1000) > 1', { data_type: 'string' });
    const value = 'x'.repeat(65_000);
    for (let part = 0; part < 13; part += 1) {
      await send(one, ...Array.from({ length: 10 }, (_, index) => ({ value, date: now() - 500 + part * 10 + index })));
    }
    assert.match(await latest(one), /^values of more than 8000000 bytes within 1000 seconds/);
  });

  it('cannot be evaluated with more than 5,000 points in a window, and say so', async () => {
    const one = await alarm(
      'avg_over_time(sensor_data_value, 5001) > 0 or count_over_time(sensor_data_value, 60) == 1',
    );
    const data = Array.from({ length: 5_001 }, (_, index) => ({ value: 1, date: now() - 5_001 + index }));
    const [last] = data.splice(-1);
    await send(one, ...data);
    assert.equal(await latest(one), 'once-a-minute');
    await send(one, last ?? {});
    assert.equal(await latest(one), 'more than 5000 points within 5001 seconds, for "avg_over_time"');
  });

  it('are read one after the other when the points of a pass are far apart', async () => {
    const one = await alarm('count_over_time(sensor_data_value, 1000) == 1001');
    const old = Array.from({ length: 3_000 }, (_, index) => ({ value: 1, date: now() - 90_000 + index }));
    const middle = Array.from({ length: 3_000 }, (_, index) => ({ value: 1, date: now() - 50_000 + index }));
    await send(one, ...old, ...middle);
    await send(
      one,
      { value: 1, date: now() - 10_000 },
      { value: 1, date: now() - 9_001.5 },
      { value: 1, date: now() - 1 },
    );
    const made = await decisions(one);
    assert.deepEqual(new Set(made.map(({ reason }: Fields) => reason)), new Set(['false']));
  });

  it('are connected by a selector to a sensor that keeps too little, where they cannot be evaluated', async () => {
    const sensorId = await buildSensor(user, { name: 'keeps nothing', use_data_storage: false });
    const equal = { sensor_property: 'name', operator: 'equal', value: 'keeps nothing' };
    const triggerId = await buildTrigger(user, {
      expression: 'count_over_time(sensor_data_value, 86400) > 0',
      selector: { filter: { sensor_statement_groups: [[equal]] } },
    });
    await platform.settle();
    const one = { sensorId, triggerId };
    await send(one, { value: 1, date: now() });
    assert.equal(await latest(one), 'the sensor stores no data points, which a window needs');
    const expression = 'count_over_time(sensor_data_value, 86401) > 0';
    assert.equal((await user.api.put(`/triggers/${triggerId}`, { trigger: { expression } })).status, 200);
    const byHand = await user.api.post(`/sensors/${sensorId}/triggers`, { trigger: { id: triggerId } });
    assert.equal(byHand.status, 409, JSON.stringify(byHand.body));
    await user.api.put(`/sensors/${sensorId}/retention`, { retention: { days: 1 } });
    await user.api.put(`/sensors/${sensorId}`, { sensor: { use_data_storage: true } });
    await send(one, { value: 1, date: now() + 1 });
    assert.match(await latest(one), /keeps its data points for 1 day/);
    await user.api.delete(`/sensors/${sensorId}/retention`);
    await send(one, { value: 1, date: now() + 2 });
    assert.equal(await latest(one), 'fired');
  });

  it('are read for all sensors of a pass by one statement, and for no sensor without them', async () => {
    const build = async (expression: string) =>
      buildAlarms(user, {
        sensors: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
        trigger: { expression },
        notifications: [],
      });
    const readsOf = async (expression: string) => {
      const { sensorIds } = await build(expression);
      const sensors = sensorIds.map((sensor_id) => ({ sensor_id, data: [{ value: 1, date: now() }] }));
      const statements = await inTransactionsOf(platform.container.database.pool, async () => {
        assert.equal((await user.api.post('/sensors/data', { sensors })).status, 201);
        await platform.settle();
      });
      return statements.filter((statement) => statement.includes('LENGTH(value) AS bytes')).length;
    };
    assert.deepEqual(
      [await readsOf('sensor_data_value > 5'), await readsOf('delta(sensor_data_value, 60) > 5')],
      [0, 1],
    );
  });
});

/** The packets of statements that are sent to MySQL in transactions of this pool during `work`. */
async function inTransactionsOf(pool: Pool, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const original = pool.getConnection;
  const getConnection = async () => {
    const connection = await original.call(pool);
    const query = (sql: string, values: unknown[]) => {
      statements.push(sql);
      return connection.query(sql, values);
    };
    return new Proxy(connection, {
      get: (_, key) => {
        if (key === 'query') return query;
        const value = Reflect.get(connection, key);
        return typeof value === 'function' ? value.bind(connection) : value;
      },
    });
  };
  Object.assign(pool, { getConnection });
  try {
    await work();
  } finally {
    Object.assign(pool, { getConnection: original });
  }
  return statements;
}

describe('mails about triggers with windows', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({ clock, config: { ...mailbox.settings, MAIL_CONFIRMATION: 'off' } }));
  const user = useUser(platform);

  it('explain the firing by the results of the windows', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { expression: 'avg_over_time(sensor_data_value, 600) > 30 and sensor_data_value > 1' },
      notifications: [{ type: 'email', destination: 'ward@example.org', text: '' }],
    });
    const data = [10, 20, 90].map((value, index) => ({ value, date: clock.now() / 1000 - 100 + index }));
    await upload(user, sensorId, data);
    await platform.settle();
    const mail = mailbox.mails.at(-1)?.text ?? assert.fail('no mail arrived');
    assert.match(mail, /avg_over_time\(sensor_data_value, 600\) > 30 and sensor_data_value > 1/);
    assert.match(mail, /\b40 > 30 and 90 > 1/);
  });
});
