import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';

describe('a trigger that reads fields', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const put = async (id: string, expression: string) =>
    (await user.api.put(`/triggers/${id}`, { trigger: { expression } })).body.warning;

  it('comes with a warning when no connected sensor has one of them', async () => {
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value.lux > 3' });
    assert.equal(await put(trigger, 'sensor_data_value.lux > 4'), undefined, 'it is not connected');
    const sensor = await buildSensor(user, { data_structure: { celsius: 'float', 'rel-humidity': 'float' } });
    const connected = await user.api.post(`/sensors/${sensor}/triggers`, { trigger: { id: trigger } });
    assert.equal(connected.status, 201);
    assert.match(connected.body.warning, /has the field "lux", so its expression cannot be evaluated/);
    assert.match(await put(trigger, 'sensor_data_value.celsius > 4 or last_sensor_data_value.lux > 3'), /"lux"/);
    const right = [
      'sensor_data_value.rel_humidity > 4',
      'sensor_data_value == "sensor_data_value.lux"',
      'current_time > 4',
    ];
    for (const expression of right) assert.equal(await put(trigger, expression), undefined, expression);
    await upload(user, sensor, { value: { lux: { west: 4 } } });
    assert.equal(await put(trigger, 'sensor_data_value.lux.west > 4'), undefined, 'the latest value has it');
  });

  it('keeps it until one of them has the field', async () => {
    const sensor = await buildSensor(user, { data_structure: { celsius: 'float' } });
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value.lux > 3' });
    const warning = async () => (await user.api.get(`/triggers/${trigger}`)).body.warning;
    assert.equal(await warning(), undefined, 'it is not connected');
    await connectTrigger(user, sensor, trigger);
    assert.match(await warning(), /has the field "lux"/);
    await upload(user, sensor, { value: { lux: 4 } });
    assert.equal(await warning(), undefined);
  });

  it('comes without one while nothing is known of a sensor, or another one has them', async () => {
    const [trigger, plain, unknown] = [await buildTrigger(user), await buildSensor(user), await buildSensor(user)];
    await upload(user, plain, { value: 7 });
    for (const sensor of [plain, unknown]) await connectTrigger(user, sensor, trigger);
    assert.equal(await put(trigger, 'sensor_data_value.lux > 4'), undefined);
    await upload(user, unknown, { value: 'dark' });
    assert.match(await put(trigger, 'sensor_data_value.lux > 4'), /"lux"/);
    await upload(user, unknown, { value: { lux: 3 } });
    assert.equal(await put(trigger, 'sensor_data_value.lux > 4'), undefined);
  });
});

describe('a trigger that reads zones', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const other = useUserPerTest(platform);

  it('comes with a warning until the user has an environment of each name', async () => {
    const trigger = { name: 'left', expression: 'not in_zone("yard") and zone() != "port"' };
    const created = await user.api.post('/triggers', { trigger });
    assert.equal(created.status, 201);
    const why = 'you have no environment "yard", so in_zone("yard") is false until you give one this name';
    assert.equal(created.body.warning, why);
    const warning = async () => (await user.api.get(`/triggers/${created.body.trigger.id}`)).body.warning;
    await other.api.post('/environments', { environment: { name: 'yard' } });
    await user.api.post('/environments', { environment: { name: 'Yard' } });
    assert.equal(await warning(), why, 'of another user, or with other letters');
    await user.api.post('/environments', { environment: { name: 'yard' } });
    assert.equal(await warning(), undefined);
    const german = { 'Accept-Language': 'de' };
    const put = { trigger: { resolve_expression: 'in_zone("Hof")' } };
    const { body } = await user.api.put(`/triggers/${created.body.trigger.id}`, put, german);
    assert.match(body.warning, /^Sie [^"]*"Hof"/);
  });
});

describe('a trigger with a window over whole values', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const ofNumbers: [expression: string, name: string][] = [
    ['sum_over_time(sensor_data_value, 3600) < 1', 'sum_over_time'],
    ['2 < rate(sensor_data_value, 60)', 'rate'],
    ['quantile_over_time(0.9, -sensor_data_value * 2, 3600) > 1', 'quantile_over_time'],
    ['count_over_time(sensor_data_value > 30, 3600) == 0', 'count_over_time'],
  ];
  const fitting = [
    'changes(sensor_data_value, 3600) == 0',
    'count_over_time(sensor_data_value, 3600) == 0',
    'sum_over_time(sensor_data_value.lux, 3600) < 1',
    'max_over_time(length(sensor_data_value), 3600) > 3',
    'sum_over_time(sensor_data_value == "open", 3600) > 3',
  ];

  it('comes with a warning when all values are lists or objects, in which it finds no numbers', async () => {
    for (const value of [{ lux: 4 }, [1, 2]]) {
      const [sensor, trigger] = [await buildSensor(user, { data_type: 'json' }), await buildTrigger(user)];
      await upload(user, sensor, { value });
      await connectTrigger(user, sensor, trigger);
      const warning = async (expression: string) =>
        (await user.api.put(`/triggers/${trigger}`, { trigger: { expression } })).body.warning;
      for (const [expression, name] of ofNumbers) {
        assert.match(
          await warning(expression),
          new RegExp(`are lists or objects, in which "${name}" finds no numbers`),
        );
      }
      const shown = (await user.api.get(`/triggers/${trigger}`)).body.warning;
      assert.match(shown, /name a field, as in sensor_data_value\.temperature$/, 'for as long as it holds');
      const known = Array.isArray(value) ? fitting.filter((expression) => !expression.includes('.lux')) : fitting;
      for (const expression of known) assert.equal(await warning(expression), undefined, expression);
    }
  });

  it('comes with it when it is connected, unless a sensor has other values or none', async () => {
    const [[expression] = assert.fail()] = ofNumbers;
    const trigger = await buildTrigger(user, { expression });
    const connected = async (value: unknown) => {
      const sensor = await buildSensor(user, { data_type: 'json' });
      if (value !== undefined) await upload(user, sensor, { value });
      return (await user.api.post(`/sensors/${sensor}/triggers`, { trigger: { id: trigger } })).body.warning;
    };
    assert.match(await connected({ lux: 4 }), /finds no numbers/);
    const shown = async () => (await user.api.get(`/triggers/${trigger}`)).body.warning;
    assert.match(await shown(), /finds no numbers/);
    assert.equal(await connected(undefined), undefined);
    assert.equal(await shown(), undefined, 'nothing is known of one');
    assert.equal(await connected(5), undefined);
  });
});

describe('a trigger whose end is delivered', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const passing: [expression: string, variable: string][] = [
    ['sensor_data_value > 30 and current_time - last_triggered > 600', 'last_triggered'],
    ['sensor_data_value > 30 and times_triggered < 3', 'times_triggered'],
    ['sensor_data_value > 30 and last_sensor_data_value <= 30', 'last_sensor_data_value'],
    ['abs(sensor_data_value.a - last_sensor_data_value.a) > 5', 'last_sensor_data_value'],
    ['sensor_data_value.a == last_sensor_data_value.b', 'last_sensor_data_value'],
    ['sensor_data_date - last_sensor_data_date > 3600', 'last_sensor_data_date'],
    ['increase(sensor_data_value, 3600) > 1', 'increase'],
    ['2 < rate(sensor_data_value, 60)', 'rate'],
    ['changes(sensor_data_value, 3600) != 0', 'changes'],
    ['delta(sensor_data_value, 3600) < -5', 'delta'],
  ];
  const lasting = [
    'sensor_data_value > 30',
    'sensor_data_value == "last_triggered"',
    'changes(sensor_data_value, 3600) == 0',
    'increase(abs(sensor_data_value), 3600) < 5',
    '3 >= changes(sensor_data_value, 3600)',
    'sensor_data_value == last_sensor_data_value',
    'last_sensor_data_value.a == sensor_data_value.a and current_time > 5',
  ];
  const posted = async (fields: object) => user.api.post('/triggers', { trigger: { name: 'warm', ...fields } });

  it('comes with a warning when its expression becomes false by itself', async () => {
    for (const [expression, variable] of passing) {
      const { status, body } = await posted({ expression, notify_resolved: true });
      assert.equal(status, 201);
      assert.match(body.warning, new RegExp(`reads ${variable}, so it may become false .* "repeat"$`), expression);
      assert.equal((await posted({ expression })).body.warning, undefined, 'its end is not delivered');
    }
    for (const expression of lasting) {
      assert.equal((await posted({ expression, notify_resolved: true })).body.warning, undefined, expression);
    }
    assert.equal((await posted({ inactivity: 60, notify_resolved: true })).body.warning, undefined);
  });

  it('comes with it whichever of the two is changed', async () => {
    const [expression] = passing[0] ?? assert.fail();
    const id = await buildTrigger(user, { expression });
    const put = async (trigger: object) => (await user.api.put(`/triggers/${id}`, { trigger })).body.warning;
    assert.equal(await put({ name: 'hot' }), undefined);
    assert.match(await put({ notify_resolved: true }), /reads last_triggered/);
    assert.equal(await put({ expression: 'sensor_data_value > 30' }), undefined);
    assert.match(await put({ expression }), /reads last_triggered/);
    const end = { resolve_expression: 'sensor_data_value < 25' };
    assert.equal(await put(end), undefined, 'another expression decides on the end');
    assert.match(await put({ resolve_expression: null }), /reads last_triggered/);
  });

  it('keeps it as long as that is so', async () => {
    const [expression] = passing[0] ?? assert.fail();
    const id = await buildTrigger(user, { expression, notify_resolved: true });
    const warning = async () => (await user.api.get(`/triggers/${id}`)).body.warning;
    assert.match(await warning(), /reads last_triggered/);
    await user.api.put(`/triggers/${id}`, { trigger: { notify_resolved: false } });
    assert.equal(await warning(), undefined);
  });
});
