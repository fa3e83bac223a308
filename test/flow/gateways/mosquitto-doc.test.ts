import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync } from 'mqtt';
import { AUTHORITY, SERVER } from '../../support/certificates';
import { buildMqttSource } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { codeBlocksIn, readPage } from '../../support/markdown';
import { HAS_MOSQUITTO, MOSQUITTO } from '../../support/mosquitto';
import { freePort } from '../../support/ports';
import { until } from '../../support/until';

const BLOCKS = codeBlocksIn(readPage('docs/mqtt.md')).filter(({ heading }) => heading === 'Mosquitto');
const blockWith = (text: string) => BLOCKS.find((block) => block.text.includes(text))?.text ?? '';

describe('Mosquitto as docs/mqtt.md configures it', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let folder: string;
  let port: number;
  let broker: ChildProcess | undefined;

  before(async function () {
    if (!HAS_MOSQUITTO) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'mosquitto-doc-'));
    port = await freePort();
    platform.container.mqttSources.open();
  });
  after(async () => {
    await platform.container.mqttSources.close();
    await stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const stop = async () => {
    if (!broker) return;
    const ended = once(broker, 'exit');
    broker.kill();
    await ended;
    broker = undefined;
  };

  /** Writes what the page writes to folders of the system below a folder of its own. */
  const configure = async () => {
    const [etc, data] = [join(folder, 'etc'), join(folder, 'data')];
    await mkdir(join(etc, 'certs'), { recursive: true });
    await mkdir(data);
    const config = blockWith('listener')
      .replaceAll('/etc/mosquitto/', `${etc}/`)
      .replaceAll('/var/lib/mosquitto/', `${data}/`)
      .replace('8883', `${port} 127.0.0.1`);
    await writeFile(join(folder, 'mosquitto.conf'), config);
    await writeFile(join(etc, 'certs/server.crt'), SERVER.cert);
    await writeFile(join(etc, 'certs/server.key'), SERVER.key);
    await writeFile(join(etc, 'acl'), `${blockWith('topic read')}\nuser device\ntopic write #\n`);
    for (const [options, name] of [
      [['-c', '-b'], 'platform'],
      [['-b'], 'device'],
    ] as const) {
      const program = spawn('mosquitto_passwd', [...options, join(etc, 'passwords'), name, 'secret']);
      assert.deepEqual(await once(program, 'exit'), [0, null]);
    }
    // It gives up the rights of root, if it has them.
    for (const path of [folder, data]) await chmod(path, 0o777);
    for (const name of ['acl', 'passwords', 'certs/server.key']) await chmod(join(etc, name), 0o644);
  };

  /** Starts it in a folder of its own, as a service manager does. */
  const start = async () => {
    const home = await mkdtemp(join(folder, 'home-'));
    await chmod(home, 0o777);
    broker = spawn(MOSQUITTO, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore', cwd: home });
    await until('it listens', () =>
      publish('nothing', '').then(
        () => true,
        () => false,
      ),
    );
  };

  const publish = async (topic: string, payload: string, qos: 0 | 1 = 1) => {
    const options = { username: 'device', password: 'secret', ca: AUTHORITY, reconnectPeriod: 0 };
    const client = await connectAsync(`mqtts://127.0.0.1:${port}`, options);
    await client.publishAsync(topic, payload, { qos });
    await client.endAsync();
  };

  it('keeps messages over its restart while the platform is away, and allows the topics of the page', async () => {
    await configure();
    await start();
    const id = await buildMqttSource(user, {
      ...{ url: `mqtts://127.0.0.1:${port}`, username: 'platform', password: 'secret', ca_certificate: AUTHORITY },
      ...{ topics: ['tele/+/SENSOR'], decoder: 'tasmota' },
    });
    const get = async () => (await user.api.get(`/mqtt_sources/${id}`)).body.mqtt_source;
    const values = async () =>
      (await platform.query('SELECT value FROM data_points ORDER BY date_ms')).map(
        ({ value }) => JSON.parse(String(value)).n,
      );
    await until('it is connected', async () => (await get()).state === 'connected');
    await publish('tele/a/SENSOR', '{"n":1}');
    await until('it is stored', async () => (await values()).length === 1);
    await user.api.put(`/mqtt_sources/${id}`, { mqtt_source: { enabled: false } });
    await until('it is disconnected', () => platform.container.mqttSources.describe().startsWith('0 '));
    await publish('tele/a/SENSOR', '{"n":2}');
    await publish('tele/a/SENSOR', '{"n":3}', 0);
    await stop();
    await start();
    await user.api.put(`/mqtt_sources/${id}`, { mqtt_source: { enabled: true } });
    await until('what it kept is stored', async () => (await values()).length === 3);
    assert.deepEqual((await values()).sort(), [1, 2, 3]);
  });
});
