import assert from 'node:assert/strict';
import type { RowDataPacket } from 'mysql2/promise';
import { buildMqttSource } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import { type Broker, startBroker } from '../support/mqtt-broker';
import type { TestUser } from '../support/platform';
import { until } from '../support/until';

const ENTITIES = 1_000;
const ENTITIES_OF_DEVICE = 100;
const MESSAGE_BYTES = 1_040_000;
const MESSAGES = 5;
const SOURCES = 8;
const TOPICS = 1_000;
const TOPIC_BYTES = 60_000;
const ACCOUNTS = 5;
const SOURCES_OF_EACH = 20;
const WAIT_MS = 60_000;
const CLOSED = 'mqtt://127.0.0.1:9';

describe('an attack by MQTT sources', function () {
  this.timeout(400_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const neighbour = useUser(platform);
  let broker: Broker;

  beforeEach(async () => {
    broker = await startBroker();
  });
  afterEach(async () => {
    await platform.pool.query('DELETE FROM mqtt_sources');
    await broker.close();
  });

  const sourceOf = async ({ api }: TestUser, id: string) => (await api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
  const connected = (user: TestUser, ids: readonly string[]) =>
    until('the sources are connected', async () => {
      const states = await Promise.all(ids.map(async (id) => (await sourceOf(user, id)).state));
      return states.every((state) => state === 'connected');
    });

  it('with 1,000 entities on the topic of a message of 1 MB delays only their owner', async () => {
    const id = await buildMqttSource(attacker, { url: broker.url, topics: ['h/#'], decoder: 'homeassistant' });
    await connected(attacker, [id]);
    for (let from = 0; from < ENTITIES; from += ENTITIES_OF_DEVICE) {
      const components = Object.fromEntries(
        Array.from({ length: ENTITIES_OF_DEVICE }, (_, index) => [
          `c${index}`,
          { p: 'sensor', stat_t: 's/1', val_tpl: '{{ value_json.x }}', uniq_id: `u${from + index}` },
        ]),
      );
      await broker.publish(`h/device/x${from}/config`, JSON.stringify({ components }));
    }
    await until('it subscribes to the topic', () => broker.subscribed.includes('s/1'));
    const filler = '{"a":1},'.repeat(MESSAGE_BYTES / 8);
    const seen = await bystander.during(async () => {
      for (let message = 0; message < MESSAGES; message += 1) {
        await broker.publish('s/1', `{"x":${message},"y":[${filler}0]}`);
      }
      await until(
        'they are acknowledged',
        () => broker.acknowledged.length === MESSAGES + ENTITIES / ENTITIES_OF_DEVICE,
        WAIT_MS * 2,
      );
    });
    console.log(`      ${JSON.stringify(seen)}`);
    assert.match((await sourceOf(attacker, id)).last_error, /999 of its sensors are left out/);
  });

  it(`by ${SOURCES} sources with descriptions on topics of ${TOPIC_BYTES} bytes harms no other user`, async () => {
    const ids = await Promise.all(
      Array.from({ length: SOURCES }, () =>
        buildMqttSource(attacker, { url: broker.url, topics: ['h/#'], decoder: 'homeassistant' }),
      ),
    );
    await connected(attacker, ids);
    await until('they subscribe', () => broker.subscribed.length >= SOURCES);
    const long = 'x'.repeat(TOPIC_BYTES);
    const seen = await bystander.during(async () => {
      for (let index = 0; index < TOPICS; index += 1) {
        await broker.publish(`h/sensor/${index}${long}/config`, `{"stat_t":"t/${index}"}`);
        await until('few wait', () => broker.acknowledged.length > (index - 100) * SOURCES, WAIT_MS * 2);
      }
      await until('they are acknowledged', () => broker.acknowledged.length === TOPICS * SOURCES, WAIT_MS * 2);
    });
    console.log(`      ${JSON.stringify(seen)}`);
    for (const id of ids) assert.match((await sourceOf(attacker, id)).last_error, /topic that is too long/);
  });

  it(`of ${ACCOUNTS} accounts with ${SOURCES_OF_EACH} sources to a closed port keeps no place from others`, async () => {
    const users = await Promise.all(Array.from({ length: ACCOUNTS }, () => platform.user()));
    const ids = await Promise.all(
      users.flatMap((user) => Array.from({ length: SOURCES_OF_EACH }, () => buildMqttSource(user, { url: CLOSED }))),
    );
    await until('they have failed', async () => {
      const sql = "SELECT COUNT(*) AS failed FROM mqtt_sources WHERE state = 'failed'";
      const [[row]] = await platform.pool.query<RowDataPacket[]>(sql);
      return Number(row?.failed) >= ids.length;
    });
    const seen = await bystander.during(async () => {
      const id = await buildMqttSource(neighbour, { url: broker.url, topics: ['n'], decoder: 'plain' });
      const started = Date.now();
      await connected(neighbour, [id]);
      await until('it subscribes', () => broker.subscribed.includes('n'));
      console.log(`      connected after ${Date.now() - started} ms`);
      await broker.publish('n', '21.5');
      await until('its point arrives', () => broker.acknowledged.includes('21.5'), 5_000);
      const { sensors } = (await neighbour.api.get('/sensors?details=full')).body;
      assert.deepEqual(
        sensors.map(({ name }: { name: string }) => name),
        ['n'],
      );
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });
});
