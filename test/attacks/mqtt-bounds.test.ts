import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildMqttSource, buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform, useUserPerTest } from '../support/hooks';
import { type Broker, startBroker } from '../support/mqtt-broker';
import { until } from '../support/until';

const WAIT_MS = 240_000;
const PATH = 'x'.repeat(200_000);
const FIELDS = 36_000;
const LONG_MESSAGES = 10;
const LEVELS = 32_000;
const WILD = 100;
/** The broker of the tests takes 100 levels in filters. */
const LEVELS_OF_FILTER = 90;
const DEEP_MESSAGES = 100;
const DEEP_SOURCES = 3;
const DEVICES = 1_001;
const SERIES = 2_000;
const LEVELS_OF_SERIES = 990;
const FILTERS = 49;
const NAMED = 520;
const LEVELS_OF_NAMED = 60;
const CHANGES = 20;
const CHANGING_SOURCES = 5;

describe('an attack by MQTT sources at the bounds of their decoders', function () {
  this.timeout(600_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUserPerTest(platform);
  let broker: Broker;

  beforeEach(async () => {
    broker = await startBroker();
  });
  afterEach(async () => {
    await platform.pool.query('DELETE FROM mqtt_sources');
    await broker.close();
  });

  const sourceOf = async (id: string) => (await attacker.api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
  const buildConnected = async (decoder: string, topics: readonly string[]) => {
    const id = await buildMqttSource(attacker, { url: broker.url, topics, decoder });
    await until('the source is connected', async () => (await sourceOf(id)).state === 'connected');
    return id;
  };
  const areAcknowledged = (count: number) =>
    until(`${count} messages are acknowledged`, () => broker.acknowledged.length >= count, WAIT_MS);
  const configure = (name: string, config: object) => broker.publish(`h/${name}/config`, JSON.stringify(config));

  it('of fields below the longest path delays only their owner', async () => {
    await buildConnected('tasmota', ['tele/#']);
    await buildConnected('shelly', ['s/#']);
    const inner = Array.from({ length: FIELDS }, (_, index) => `"f${index}":{"Power":1}`).join();
    const seen = await bystander.during(async () => {
      for (let message = 0; message < LONG_MESSAGES; message += 1) {
        for (const topic of ['tele/a/SENSOR', 's/a/status/switch:0'])
          await broker.publish(topic, `{"${PATH}":{${inner}}}`);
      }
      await areAcknowledged(2 * LONG_MESSAGES);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it(`on topics of ${LEVELS} levels, which are compared with ${WILD} filters, delays only their owner`, async () => {
    for (let source = 0; source < DEEP_SOURCES; source += 1) await buildConnected('homeassistant', ['h/#', 'l/#']);
    for (let index = 0; index < WILD; index += 1)
      await configure(`sensor/${index}`, { stat_t: `${'+/'.repeat(LEVELS_OF_FILTER)}${index}`, uniq_id: `${index}` });
    const configured = DEEP_SOURCES * WILD;
    await areAcknowledged(configured);
    const topic = `l/${'a/'.repeat(LEVELS)}b`;
    const seen = await bystander.during(async () => {
      for (let message = 0; message < DEEP_MESSAGES; message += 1) await broker.deliver(topic, '1');
      await areAcknowledged(configured + DEEP_SOURCES * DEEP_MESSAGES);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it(`that name ${DEVICES} devices, of an owner with series of ${LEVELS_OF_SERIES} levels, delays only their owner`, async () => {
    const sensorId = await buildSensor(attacker);
    const rows = Array.from({ length: SERIES }, (_, index) => {
      const name = `${'a/'.repeat(LEVELS_OF_SERIES)}${index}`;
      const hash = createHash('sha256').update(`mqtt\n${name}`).digest('hex');
      return [attacker.id, hash, 'mqtt', name, 'plain', sensorId, 'user', Date.now()];
    });
    await platform.pool.query(
      'INSERT INTO series (owner_id, hash, namespace, name, source, sensor_id, made_by, created_ms) VALUES ?',
      [rows],
    );
    const id = await buildConnected('shelly', ['shellies/#']);
    const seen = await bystander.during(async () => {
      for (let index = 0; index < DEVICES; index += 1)
        await broker.publish('shellies/announce', JSON.stringify({ id: `d${index}`, mac: '0123456789AB' }));
      await areAcknowledged(DEVICES);
    });
    console.log(`      ${JSON.stringify(seen)}`);
    await until('it says so', async () => /more than 1000 are known/.test((await sourceOf(id)).last_error));
  });

  it(`whose ${NAMED} topics of states are compared with filters of as many levels delays only their owner`, async () => {
    const filters = Array.from({ length: FILTERS }, (_, index) => `q${index}/${'+/'.repeat(LEVELS_OF_NAMED)}#`);
    const ids: string[] = [];
    for (let source = 0; source < CHANGING_SOURCES; source += 1)
      ids.push(await buildConnected('homeassistant', ['h/#', ...filters]));
    const componentsOf = (from: number, change: number) =>
      Object.fromEntries(
        Array.from({ length: NAMED / 4 }, (_, index) => {
          const stateTopic = `${from + index}/${'a/'.repeat(LEVELS_OF_NAMED)}a`;
          return [`c${index}`, { p: 'sensor', name: `${change}`, stat_t: stateTopic, uniq_id: `u${from + index}` }];
        }),
      );
    const seen = await bystander.during(async () => {
      for (let change = 0; change < CHANGES; change += 1) {
        for (let from = 0; from < NAMED; from += NAMED / 4)
          await configure(`device/x${from}`, { components: componentsOf(from, change) });
        await areAcknowledged(4 * (change + 1) * CHANGING_SOURCES);
        await sleep(500);
      }
    });
    console.log(`      ${JSON.stringify(seen)}`);
    for (const id of ids)
      await until('it says so', async () => /only 500 of the 520 topics/.test((await sourceOf(id)).last_error));
  });
});
