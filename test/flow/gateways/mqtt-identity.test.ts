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

const [LEAK, DOOR] = ['0x00158d0001e7b10d', '0x00158d0002aaaaaa'];
const LIST = 'zigbee2mqtt/bridge/devices';

const device = (ieee_address: string, friendly_name: string) => ({
  ...{ ieee_address, friendly_name, type: 'EndDevice' },
  definition: { model: 'SJCGQ11LM', vendor: 'Aqara', exposes: [] },
});

describe('a device of an MQTT source', () => {
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
  const sensors = async (): Promise<{ id: string; name: string }[]> => (await user.api.get('/sensors')).body.sensors;
  const series = async (): Promise<{ id: string; name: string; sensor_id: string }[]> =>
    (await user.api.get('/series')).body.series;
  const connected = async (fields: object) => {
    const id = await buildMqttSource(user, { url: broker.url, ...fields });
    await until('it is connected', async () => (await get(id)).state === 'connected');
    return id;
  };
  const zigbee = () => connected({ topics: ['zigbee2mqtt/#'], decoder: 'zigbee2mqtt' });
  const list = (...devices: object[]) => broker.publish(LIST, JSON.stringify(devices), { retain: true });
  /** Publishes a value and waits until it is acknowledged. */
  const say = async (topic: string, payload: object) => {
    const text = JSON.stringify(payload);
    await broker.publish(topic, text);
    await until(`${text} is acknowledged`, () => broker.acknowledged.includes(text));
  };
  const watch = async (sensorId: string, expression: string, text: string) => {
    const triggerId = await buildTrigger(user, { name: text, expression });
    await connectTrigger(user, sensorId, triggerId);
    const id = await buildNotification(user, { type: 'url', destination: receiver.url, text });
    await connectNotification(user, sensorId, triggerId, id);
  };
  const delivered = async () => {
    await platform.settle();
    return receiver.received.map(({ form }) => `${form.text} of ${form.sensor_id}`);
  };
  const onlySensor = async () => {
    const [sensor, ...others] = await sensors();
    assert.ok(sensor);
    assert.deepEqual(others, []);
    return sensor;
  };

  it('keeps its rules when it is renamed, and its sensor keeps the name of the user', async () => {
    await list(device(LEAK, LEAK));
    await zigbee();
    await say(`zigbee2mqtt/${LEAK}`, { water_leak: false, n: 1 });
    const sensor = await onlySensor();
    assert.equal(sensor.name, LEAK);
    await user.api.put(`/sensors/${sensor.id}`, { sensor: { name: 'under the sink' } });
    await watch(sensor.id, 'sensor_data_value.water_leak == true', 'leak');
    await list(device(LEAK, 'Cellar leak'));
    await say('zigbee2mqtt/Cellar leak', { water_leak: true, n: 2 });
    assert.deepEqual(await delivered(), [`leak of ${sensor.id}`]);
    const { id, name } = await onlySensor();
    assert.deepEqual([id, name], [sensor.id, 'under the sink']);
    // What the broker still had under the former name.
    await say(`zigbee2mqtt/${LEAK}`, { water_leak: false, n: 3 });
    await onlySensor();
  });

  it('keeps its rules when it swaps its name with another one', async () => {
    await list(device(LEAK, 'a'), device(DOOR, 'b'));
    await zigbee();
    await say('zigbee2mqtt/a', { wet: false, n: 1 });
    await say('zigbee2mqtt/b', { open: false, n: 2 });
    const [leak, door] = await Promise.all(
      [LEAK, DOOR].map(async (id) => (await series()).find(({ name }) => name.includes(id))?.sensor_id ?? ''),
    );
    await watch(leak ?? '', 'sensor_data_value.wet == true', 'leak');
    await watch(door ?? '', 'sensor_data_value.open == true', 'door');
    await list(device(LEAK, 'b'), device(DOOR, 'a'));
    await say('zigbee2mqtt/b', { wet: true, n: 3 });
    await say('zigbee2mqtt/a', { open: true, n: 4 });
    assert.deepEqual((await delivered()).sort(), [`door of ${door}`, `leak of ${leak}`]);
    assert.equal((await sensors()).length, 2);
  });

  it('takes the series over that was named by its topic, also when names are swapped before it speaks', async () => {
    await zigbee();
    await say('zigbee2mqtt/a', { wet: false, n: 1 });
    await say('zigbee2mqtt/b', { open: false, n: 2 });
    const before = await series();
    const sensorOf = (name: string) => before.find((one) => one.name === name)?.sensor_id ?? '';
    const [leak, door] = [sensorOf('zigbee2mqtt/a'), sensorOf('zigbee2mqtt/b')];
    await watch(leak, 'sensor_data_value.wet == true', 'leak');
    await watch(door, 'sensor_data_value.open == true', 'door');
    await list(device(LEAK, 'a'), device(DOOR, 'b'));
    await say('zigbee2mqtt/a', { wet: true, n: 3 });
    assert.deepEqual(await delivered(), [`leak of ${leak}`]);
    await list(device(LEAK, 'b'), device(DOOR, 'a'));
    await say('zigbee2mqtt/a', { open: true, n: 4 });
    assert.deepEqual(await delivered(), [`leak of ${leak}`, `door of ${door}`]);
    const led = (await series()).map(({ id, name, sensor_id }) => [id, name, sensor_id]);
    assert.deepEqual(led, [
      [before[0]?.id, `zigbee2mqtt:${LEAK}`, leak],
      [before[1]?.id, `zigbee2mqtt:${DOOR}`, door],
    ]);
  });

  it('takes the series of its present name over, rather than that of its address', async () => {
    await zigbee();
    await say(`zigbee2mqtt/${LEAK}`, { wet: false, n: 1 });
    await say('zigbee2mqtt/Cellar leak', { wet: false, n: 2 });
    const present = (await series()).find(({ name }) => name === 'zigbee2mqtt/Cellar leak')?.sensor_id ?? '';
    await watch(present, 'sensor_data_value.wet == true', 'leak');
    await list(device(LEAK, 'Cellar leak'));
    await say('zigbee2mqtt/Cellar leak', { wet: true, n: 3 });
    assert.deepEqual(await delivered(), [`leak of ${present}`]);
  });

  it('keeps its rules when it is renamed at one moment with messages before and after', async () => {
    await zigbee();
    await say(`zigbee2mqtt/${LEAK}`, { n: 0 });
    const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const n of numbers) {
      if (n === 20) await list(device(LEAK, LEAK));
      if (n === 40) await list(device(LEAK, 'Cellar leak'));
      await broker.publish(`zigbee2mqtt/${n < 40 ? LEAK : 'Cellar leak'}`, JSON.stringify({ n }));
    }
    await until('all are acknowledged', () => broker.acknowledged.includes('{"n":60}'));
    const sensor = await onlySensor();
    const rows = await platform.query('SELECT value FROM data_points WHERE sensor_id = ? ORDER BY date_ms', [
      sensor.id,
    ]);
    assert.deepEqual(
      rows.map(({ value }) => JSON.parse(String(value)).n),
      [0, ...numbers],
    );
  });

  it('keeps its rules when it is renamed while no worker is connected', async () => {
    await list(device(LEAK, LEAK));
    const id = await zigbee();
    await say(`zigbee2mqtt/${LEAK}`, { wet: false, n: 1 });
    const sensor = await onlySensor();
    await watch(sensor.id, 'sensor_data_value.wet == true', 'leak');
    await user.api.put(`/mqtt_sources/${id}`, { mqtt_source: { enabled: false } });
    await until('it is disconnected', () => broker.clients === 0);
    // The session has no copy of the list, as with a broker that queues no messages with QoS 0.
    await broker.publish('zigbee2mqtt/Cellar leak', '{"wet":true,"n":2}');
    await broker.publish(LIST, JSON.stringify([device(LEAK, 'Cellar leak')]), { retain: true, qos: 0 });
    await user.api.put(`/mqtt_sources/${id}`, { mqtt_source: { enabled: true } });
    await until('it is acknowledged', () => broker.acknowledged.includes('{"wet":true,"n":2}'));
    assert.deepEqual(await delivered(), [`leak of ${sensor.id}`]);
    await onlySensor();
  });

  it('is known by the address in its messages, whatever the list says', async () => {
    await zigbee();
    await say('zigbee2mqtt/a', { n: 1 });
    await say('zigbee2mqtt/a', { n: 2, device: { ieeeAddr: LEAK, friendlyName: 'a' } });
    await say('zigbee2mqtt/renamed', { n: 3, device: { ieeeAddr: LEAK, friendlyName: 'renamed' } });
    await onlySensor();
  });

  it('is known by the MAC address of Tasmota, whatever its topic is', async () => {
    const config = (t: string, dn: string) => ({
      ...{ mac: '5CCF7FD5E1AB', dn, fn: ['Plug'], t, ft: '%prefix%/%topic%/', tp: ['cmnd', 'stat', 'tele'] },
    });
    const discover = (...given: Parameters<typeof config>) =>
      broker.publish('tasmota/discovery/5CCF7FD5E1AB/config', JSON.stringify(config(...given)), { retain: true });
    await connected({ topics: ['tele/+/SENSOR', 'tele/+/STATE'], decoder: 'tasmota' });
    await say('tele/tasmota_D5E1AB/SENSOR', { ENERGY: { Power: 1 } });
    const sensor = await onlySensor();
    await watch(sensor.id, 'sensor_data_value.ENERGY.Power > 100', 'load');
    await discover('tasmota_D5E1AB', 'Tasmota');
    await discover('washer', 'Washing machine');
    await say('tele/washer/SENSOR', { ENERGY: { Power: 2_000 } });
    assert.deepEqual(await delivered(), [`load of ${sensor.id}`]);
    await say('tele/washer/STATE', { POWER: 'ON' });
    assert.deepEqual(
      (await series()).map(({ name }) => name),
      ['tasmota:5CCF7FD5E1AB/SENSOR', 'tasmota:5CCF7FD5E1AB/STATE'],
    );
    assert.deepEqual((await sensors()).map(({ name }) => name).sort(), ['Washing machine state', 'tasmota_D5E1AB']);
  });

  it('is known by the id of a Shelly, whatever its prefix of topics is', async () => {
    const src = 'shellyplus1pm-a8032ab12345';
    const frame = (apower: number) => ({ src, method: 'NotifyStatus', params: { 'switch:0': { id: 0, apower } } });
    await connected({ topics: ['+/events/rpc'], decoder: 'shelly' });
    await say(`${src}/events/rpc`, frame(1));
    const sensor = await onlySensor();
    await watch(sensor.id, 'sensor_data_value.apower > 100', 'load');
    await say('kitchen/events/rpc', frame(2_000));
    assert.deepEqual(await delivered(), [`load of ${sensor.id}`]);
    await say('hall/events/rpc', frame(3));
    await say(`${src}/events/rpc`, frame(4));
    await onlySensor();
  });
});
