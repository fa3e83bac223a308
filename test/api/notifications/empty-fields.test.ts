import assert from 'node:assert/strict';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

const VALUE = { temperature: 21.5, list: [1, 2], 'a-b': 1, 'a.b': 2 };
const MISSPELT = '{{sensor_data_value.temperatur}} °C';

describe('a notification that shows a field of a value', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const receiver = useReceiver();

  const station = async (value: object | null = VALUE) => {
    const [sensor, trigger] = [await buildSensor(user, { data_type: 'json' }), await buildTrigger(user)];
    if (value !== null) await upload(user, sensor, { value });
    await connectTrigger(user, sensor, trigger);
    return { sensor, trigger };
  };
  const connect = async ({ sensor, trigger }: { sensor: string; trigger: string }, id: string) => {
    const answer = await user.api.post(`/sensors/${sensor}/triggers/${trigger}/notifications`, {
      notification: { id },
    });
    assert.equal(answer.status, 201);
    return answer.body.warning;
  };
  const put = async (id: string, notification: object) => {
    const answer = await user.api.put(`/notifications/${id}`, { notification });
    assert.equal(answer.status, 200);
    return answer.body.warning;
  };
  const why = (id: string, field: string, reason = 'does not exist') =>
    `the notification ${id} shows nothing for ${field}: in the latest values of the connected sensors ${field} ${reason}`;

  it('is connected with a warning if the sensor does not have it', async () => {
    const at = await station();
    const id = await buildNotification(user, { text: MISSPELT });
    assert.equal(await connect(at, id), why(id, 'sensor_data_value.temperatur'));
    const right = await buildNotification(user, { text: '{{sensor_data_value.temperature}} °C' });
    assert.equal(await connect(at, right), undefined);
    const shown = await user.api.get(`/triggers/${at.trigger}`);
    assert.equal(shown.body.warning, why(id, 'sensor_data_value.temperatur'), 'for as long as it holds');
  });

  it('is changed with a warning, wherever it shows the field', async () => {
    const id = await buildNotification(user);
    await connect(await station(), id);
    const several = 'is the name of several fields: write their own names as in ["a-b"]';
    const wrong: [fields: object, field: string, reason?: string][] = [
      [{ text: 'now $sensor_data_value.list[9]' }, 'sensor_data_value.list[9]'],
      [{ text: '{{round(sensor_data_value.humidity, 1)}}' }, 'sensor_data_value.humidity'],
      [{ text: 'now {sensor_data_value.a_b}' }, 'sensor_data_value.a_b', several],
      [{ text: 'x', body: { a: [{ b: '{{last_sensor_data_value.lux * 2}}' }] } }, 'last_sensor_data_value.lux'],
      [{ body: { a: '1' }, body_resolved: { a: '{{sensor_data_value["x-y"]}}' } }, 'sensor_data_value["x-y"]'],
      [
        { body: null, body_resolved: null, destination: 'http://127.0.0.1:9/{{sensor_data_value.room}}' },
        'sensor_data_value.room',
      ],
    ];
    for (const [fields, field, reason] of wrong) assert.equal(await put(id, fields), why(id, field, reason));
    const right = [
      { destination: 'http://127.0.0.1:9/', text: '$sensor_data_value.list[1] {sensor_data_value["a-b"]}' },
      { text: 'a misspelt sensor_name.temperatur is a text' },
      { text: 'x', body: { a: '{{fixed(sensor_data_value.temperature, 1)}} {{"sensor_data_value.lux"}}' } },
    ];
    for (const fields of right) assert.equal(await put(id, fields), undefined, JSON.stringify(fields));
  });

  it('comes with none while a connected sensor has it, describes it, or has no data', async () => {
    const id = await buildNotification(user);
    assert.equal(await put(id, { text: MISSPELT }), undefined, 'it is not connected');
    const [with_, without, unknown] = [await station({ temperatur: 1 }), await station(), await station(null)];
    assert.equal(await connect(without, id), why(id, 'sensor_data_value.temperatur'), 'that sensor does not have it');
    assert.equal(await connect(with_, id), undefined);
    assert.equal(await put(id, { text: MISSPELT }), undefined, 'another sensor has it');
    await upload(user, with_.sensor, { value: { temperature: 1 } });
    assert.equal(await put(id, { text: MISSPELT }), why(id, 'sensor_data_value.temperatur'));
    assert.equal(await connect(unknown, id), undefined);
    assert.equal(await put(id, { text: MISSPELT }), undefined, 'nothing is known of a sensor');
    await user.api.put(`/sensors/${unknown.sensor}`, { sensor: { data_structure: { temperatur: 'float' } } });
    assert.equal(await put(id, { text: MISSPELT }), undefined);
  });

  it('has the warning on all sensors of a trigger, and when the trigger gets a sensor', async () => {
    const trigger = await buildTrigger(user);
    const id = await buildNotification(user, { text: MISSPELT });
    const whole = async () =>
      (await user.api.post(`/triggers/${trigger}/notifications`, { notification: { id } })).body;
    assert.equal((await whole()).warning, undefined, 'it has no sensor');
    const sensor = await buildSensor(user, { data_type: 'json' });
    await upload(user, sensor, { value: VALUE });
    const warning = why(id, 'sensor_data_value.temperatur');
    const connected = await user.api.post(`/sensors/${sensor}/triggers`, { trigger: { id: trigger } });
    assert.equal(connected.body.warning, warning);
    assert.equal((await whole()).warning, warning);
    assert.equal(await put(id, { text: MISSPELT }), warning);
    const other = await buildSensor(user, { data_type: 'json' });
    await upload(user, other, { value: VALUE });
    const action = { connect_trigger: { id: trigger, notifications: [id] } };
    assert.equal((await user.api.post('/sensors/bulk', { sensors: [other], action })).body.warning, warning);
  });

  it('has it in the text of ends', async () => {
    const { trigger } = await station();
    const fields = { notify_resolved: true, resolved_text: `again ${MISSPELT}` };
    const { body } = await user.api.put(`/triggers/${trigger}`, { trigger: fields });
    const field = 'sensor_data_value.temperatur';
    const where = 'in the latest values of the connected sensors';
    assert.equal(body.warning, `the text of its ends shows nothing for ${field}: ${where} ${field} does not exist`);
    assert.equal((await user.api.get(`/triggers/${trigger}`)).body.warning, body.warning);
  });

  it('says it in the preview of a firing', async () => {
    const at = await station();
    const id = await buildNotification(user, { text: MISSPELT });
    await connectNotification(user, at.sensor, at.trigger, id);
    await user.api.put(`/triggers/${at.trigger}`, { trigger: { expression: 'sensor_data_value.temperature > 30' } });
    await upload(user, at.sensor, { value: { temperature: 31 } });
    await platform.settle();
    const { body } = await user.api.post('/notifications/preview', { id, notification: {} });
    assert.equal(body.preview.note, 'text: sensor_data_value.temperatur does not exist');
  });

  it('says it at the attempts of firings, ends and tests', async () => {
    const at = await station();
    const [wrong, right] = [MISSPELT, '{{sensor_data_value.temperature}} °C'];
    const notifications = [{ text: wrong }, { text: wrong, body: { text: '{{text}}' } }, { text: right }];
    for (const fields of notifications) {
      const id = await buildNotification(user, { destination: receiver.url, ...fields });
      await connectNotification(user, at.sensor, at.trigger, id);
    }
    const resolved = { notify_resolved: true, resolved_text: 'again $sensor_data_value.lux' };
    const rule = { expression: 'sensor_data_value.temperature > 30', ...resolved };
    await user.api.put(`/triggers/${at.trigger}`, { trigger: rule });
    for (const temperature of [31, 20]) await upload(user, at.sensor, { value: { temperature } });
    await platform.settle();
    const { deliveries } = (await user.api.get('/deliveries?sort=ASC')).body;
    const noted = deliveries.map((one: { attempts: { note: string }[]; text: string }) => [
      one.text,
      one.attempts.map(({ note }) => note).join(),
    ]);
    const why = (field: string) => `text: sensor_data_value.${field} does not exist`;
    const ends = notifications.map(() => ['again ', why('lux')]);
    const firings = [
      [' °C', why('temperatur')],
      [' °C', why('temperatur')],
      ['31 °C', ''],
    ];
    assert.deepEqual(noted.sort(), [...firings, ...ends].sort());
    const [first] = (await user.api.get('/notifications')).body.notifications;
    const { body } = await user.api.post(`/notifications/${first.id}/test?wait=0`);
    await platform.settle();
    const test = (await user.api.get(`/deliveries/${body.delivery.id}`)).body.delivery;
    assert.equal(test.attempts[0].note, why('temperatur'));
  });
});
