import assert from 'node:assert/strict';
import {
  buildMqttSource,
  buildNotification,
  buildTrigger,
  connectNotification,
  connectTrigger,
} from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { type Broker, startBroker } from '../../support/mqtt-broker';
import { until } from '../../support/until';

interface Message {
  topic: string;
  payload: string;
  outcome: string;
  reason: string;
  retained: boolean;
  bytes: number;
  sensor_ids: string[];
}

describe('the messages of an MQTT source', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const receiver = useReceiver();
  let broker: Broker;

  before(() => platform.container.mqttSources.open());
  after(() => platform.container.mqttSources.close());
  beforeEach(async () => {
    broker = await startBroker();
    receiver.received.length = 0;
  });
  afterEach(async () => {
    await platform.query('DELETE FROM mqtt_sources');
    await broker.close();
  });

  const get = async (id: string) => (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
  const put = (id: string, mqtt_source: object) => user.api.put(`/mqtt_sources/${id}`, { mqtt_source });
  const messagesOf = async (id: string): Promise<Message[]> =>
    (await user.api.get(`/mqtt_sources/${id}/messages`)).body.messages;
  const outcomeOf = async (id: string, payload: string) =>
    (await messagesOf(id)).find((message) => message.payload === payload)?.outcome;
  const valuesOf = async (name: string) =>
    (
      await platform.query(
        `SELECT p.value FROM data_points p JOIN series s ON s.sensor_id = p.sensor_id
         WHERE s.owner_id = ? AND s.name = ? ORDER BY p.date_ms`,
        [user.id, name],
      )
    ).map(({ value }) => String(value));
  const connected = async (fields: object) => {
    const id = await buildMqttSource(user, { url: broker.url, decoder: 'plain', ...fields });
    await until('it is connected', async () => (await get(id)).state === 'connected');
    return id;
  };
  const isAcknowledged = (payload: string) =>
    until(`${payload} is acknowledged`, () => broker.acknowledged.includes(payload));

  describe('beyond its create_limit', () => {
    it('are kept by the broker, and stored when the limit is raised', async () => {
      const id = await connected({ topics: ['a/#'], create_limit: 1 });
      for (const n of [1, 2, 3, 4, 5]) await broker.publish(`a/${n}`, `value ${n}`);
      await until('all have arrived', async () => (await get(id)).waiting === 4);
      assert.deepEqual(broker.acknowledged, ['value 1']);
      const { last_error, refused } = await get(id);
      assert.match(last_error, /^values of a\/\d wait at the broker: the limit of 1 sensors .* raise its create_limit/);
      assert.equal(refused, 0);
      await until('the messages say so', async () => (await outcomeOf(id, 'value 5')) === 'waiting');
      const waiting = (await messagesOf(id)).find(({ payload }) => payload === 'value 5');
      assert.match(waiting?.reason ?? '', /^the broker keeps it: the limit of 1 sensors/);
      await put(id, { create_limit: 5 });
      for (const n of [2, 3, 4, 5]) await isAcknowledged(`value ${n}`);
      for (const n of [1, 2, 3, 4, 5]) assert.deepEqual(await valuesOf(`a/${n}`), [`value ${n}`]);
      await until('nothing waits', async () => (await get(id)).waiting === 0);
      assert.equal((await get(id)).last_error, '');
    });

    it('are stored when there is room again, without another connection', async () => {
      const id = await connected({ topics: ['b/#'], create_limit: 1 });
      await broker.publish('b/1', 'first');
      await isAcknowledged('first');
      await broker.publish('b/2', 'second');
      await until('it waits', async () => (await get(id)).waiting === 1);
      const [{ sensor_id }] = (await user.api.get('/series')).body.series;
      await user.api.delete(`/sensors/${sensor_id}`);
      await isAcknowledged('second');
      assert.deepEqual(await valuesOf('b/2'), ['second']);
      await until('nothing waits', async () => (await get(id)).waiting === 0);
      assert.equal(broker.connects.length, 1);
    });

    it('do not stop the other series, and are counted when the broker has kept enough', async () => {
      const id = await connected({ topics: ['c/#'], create_limit: 1 });
      await broker.publish('c/known', '0');
      await isAcknowledged('0');
      for (let n = 1; n <= 30; n += 1) await broker.publish(`c/${n}`, `new ${n}`);
      await broker.publish('c/new', 'lost', { qos: 0 });
      for (let n = 1; n <= 30; n += 1) await broker.publish('c/known', String(n));
      await isAcknowledged('30');
      assert.equal((await valuesOf('c/known')).length, 31);
      await until('they are counted', async () => (await get(id)).refused === 21);
      const { waiting, last_error } = await get(id);
      assert.equal(waiting, 10);
      assert.match(last_error, /^values of c\/.* are not stored: the limit of 1 sensors/);
      await until('the messages say so', async () => (await outcomeOf(id, 'lost')) === 'refused');
    });
  });

  describe('that are retained', () => {
    const alarm = async () => {
      const [{ sensor_id }] = (await user.api.get('/series')).body.series;
      const triggerId = await buildTrigger(user, { expression: 'sensor_data_value == "FIRE"' });
      await connectTrigger(user, sensor_id, triggerId);
      const notification = await buildNotification(user, { type: 'url', destination: receiver.url, text: 'fire' });
      await connectNotification(user, sensor_id, triggerId, notification);
    };
    /** The broker forgets the session, and the source subscribes again. */
    const subscribeAgain = async (id: string) => put(id, { client_id: `another-${Math.random()}` });

    it('bring nothing when they equal the last stored value, and no alert', async () => {
      await broker.publish('alarm/door', 'FIRE', { retain: true });
      const id = await connected({ topics: ['alarm/#'] });
      await until('it is stored', async () => (await valuesOf('alarm/door')).length === 1);
      await alarm();
      await subscribeAgain(id);
      await until('it came again', async () => (await get(id)).unchanged === 1);
      assert.deepEqual(await valuesOf('alarm/door'), ['FIRE']);
      await platform.settle();
      assert.equal(receiver.received.length, 0);
      await until('the messages say so', async () => {
        const [latest] = await messagesOf(id);
        return latest?.outcome === 'nothing' && /equal to the last stored value/.test(latest.reason) && latest.retained;
      });
      await put(id, { enabled: false });
      await until('it is disconnected', () => broker.clients === 0);
      await broker.publish('alarm/door', 'calm', { retain: true });
      await put(id, { enabled: true, client_id: 'one more' });
      await until('another value is stored', async () => (await valuesOf('alarm/door')).join() === 'FIRE,calm');
      // A message that a device has sent just now is a measurement, whatever it says.
      await broker.publish('alarm/door', 'calm', { retain: true });
      await until('it is stored', async () => (await valuesOf('alarm/door')).join() === 'FIRE,calm,calm');
    });

    it('are all stored, or none, if the source says so', async () => {
      await broker.publish('r/door', 'FIRE', { retain: true });
      const ignoring = await connected({ topics: ['r/#'], retained: 'ignore' });
      await until('it is counted', async () => (await get(ignoring)).unchanged === 1);
      assert.deepEqual(await valuesOf('r/door'), []);
      await put(ignoring, { retained: 'store' });
      await subscribeAgain(ignoring);
      await until('it is stored', async () => (await valuesOf('r/door')).length === 1);
      await subscribeAgain(ignoring);
      await until('it is stored again', async () => (await valuesOf('r/door')).length === 2);
      const { error } = (await put(ignoring, { retained: 'sometimes' })).body;
      assert.match(error, /retained/);
    });
  });

  it('arrive from the moment on at which the source says that it is connected', async () => {
    const other = await startBroker();
    let answer = () => {};
    other.answering = new Promise((resolve) => {
      answer = resolve;
    });
    try {
      const source = { url: other.url, decoder: 'plain', topics: ['s/#'], enabled: false };
      const id = await buildMqttSource(user, source);
      const row = async () => (await platform.query('SELECT state, kept FROM mqtt_sources WHERE id = ?', [id]))[0];
      await platform.query('UPDATE mqtt_sources SET kept = 7 WHERE id = ?', [id]);
      await put(id, { enabled: true });
      await until('it has asked', () => other.asked.includes('s/#'));
      await until('it has reported its connection', async () => Number((await row())?.kept) === 0);
      assert.equal((await row())?.state, 'connecting');
      answer();
      await until('it is connected', async () => (await row())?.state === 'connected');
      assert.deepEqual(other.subscribed, ['s/#']);
      other.refused.add('secret/#');
      await put(id, { topics: ['s/#', 'secret/#'] });
      await until('the refusal is named', async () => {
        const { state, last_error } = await get(id);
        return (
          state === 'connected' && /^the broker refuses the subscription to secret\/#: nothing arrives/.test(last_error)
        );
      });
    } finally {
      answer();
      await other.close();
    }
  });

  it('are stored to the last digit of their numbers, by JSON and by discovery', async () => {
    const state = '{"n":9007199254740993}';
    await connected({ topics: ['exact/json'], decoder: 'json' });
    await broker.publish('exact/json', state);
    await isAcknowledged(state);
    assert.deepEqual(await valuesOf('exact/json'), [state]);
    await connected({ topics: ['homeassistant/#'], decoder: 'homeassistant' });
    const config = { uniq_id: 'exact', stat_t: 'exact/state', val_tpl: '{{ value_json.n }}' };
    await broker.publish('homeassistant/sensor/exact/config', JSON.stringify(config));
    await until('it subscribes', () => broker.subscribed.includes('exact/state'));
    await broker.publish('exact/state', state);
    await until('it is stored', async () => (await valuesOf('homeassistant/sensor/exact')).length === 1);
    assert.deepEqual(await valuesOf('homeassistant/sensor/exact'), ['9007199254740993']);
  });

  it('are read from topics that discovery gives as filters, and what is left out is named', async () => {
    const config = (fields: object) => JSON.stringify({ uniq_id: 'omg', val_tpl: '{{ value_json.t }}', ...fields });
    const id = await connected({ topics: ['homeassistant/#'], decoder: 'homeassistant' });
    await broker.publish('homeassistant/sensor/omg/t/config', config({ stat_t: '+/+/RTL_433toMQTT/LaCrosse/102' }));
    await until('it subscribes', () => broker.subscribed.includes('+/+/RTL_433toMQTT/LaCrosse/102'));
    await broker.publish('home/OMG/RTL_433toMQTT/LaCrosse/102', '{"t":21.5}');
    await isAcknowledged('{"t":21.5}');
    assert.deepEqual(await valuesOf('homeassistant/sensor/omg'), ['21.5']);
    await broker.publish('homeassistant/sensor/bad/t/config', config({ name: 'Meter', stat_t: 'a#' }));
    await until('it is named', async () => /Meter is left out: its state_topic/.test((await get(id)).last_error));
    assert.equal((await get(id)).incomplete, 1);
  });

  it('are listed with what became of each, for the owner alone', async () => {
    const id = await connected({ topics: ['l/#'], decoder: 'json' });
    await broker.publish('l/good', '{"v":1}');
    await broker.publish('l/bad', '{"v":');
    await broker.publish('l/empty', '{}');
    await broker.publish('l/long', JSON.stringify({ text: 'x'.repeat(5_000) }));
    await isAcknowledged('{}');
    await until('all are listed', async () => (await messagesOf(id)).every(({ outcome }) => outcome !== 'waiting'));
    await until('all are listed', async () => (await messagesOf(id)).length === 4);
    const messages = await messagesOf(id);
    const series = (await user.api.get('/series')).body.series;
    const sensorOf = (name: string) => series.find((one: { name: string }) => one.name === name).sensor_id;
    assert.deepEqual(
      messages.map(({ topic, outcome, reason, sensor_ids, bytes }) => [topic, outcome, reason, sensor_ids, bytes]),
      [
        ['l/long', 'stored', '', [sensorOf('l/long')], 5_011],
        ['l/empty', 'nothing', 'has no value for this decoder', [], 2],
        ['l/bad', 'refused', 'is no JSON', [], 5],
        ['l/good', 'stored', '', [sensorOf('l/good')], 7],
      ],
    );
    assert.equal(messages[0]?.payload.length, 100, 'no more than the beginning');
    await until('they are counted', async () => (await get(id)).ignored === 1);
    for (let n = 0; n < 120; n += 1) await broker.publish('l/good', `{"v":${n}}`);
    await until('the latest is listed', async () => (await messagesOf(id))[0]?.payload === '{"v":119}');
    assert.equal((await messagesOf(id)).length, 50);
    const other = await platform.user();
    assert.equal((await other.api.get(`/mqtt_sources/${id}/messages`)).status, 404);
    await user.api.delete(`/mqtt_sources/${id}`);
    assert.equal((await user.api.get(`/mqtt_sources/${id}/messages`)).status, 404);
    const key = `{${platform.container.config.redisPrefix}}:mqtt-messages:${id}`;
    await until('they are deleted', async () => (await platform.container.redis.exists(key)) === 0);
  });
});
