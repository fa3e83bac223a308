import assert from 'node:assert/strict';
import { AUTHORITY } from '../support/certificates';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildMqttSource } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { type Broker, startBroker } from '../support/mqtt-broker';
import { until } from '../support/until';

describe('the MQTT sources in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let broker: Broker;
  beforeEach(async () => {
    broker = await startBroker();
    platform.container.mqttSources.open();
  });
  afterEach(async () => {
    await platform.container.mqttSources.close();
    await platform.query('DELETE FROM mqtt_sources');
    await broker.close();
  });

  const open = useConsole(platform, user);
  const sources = async () => (await user.api.get('/mqtt_sources')).body.mqtt_sources;

  it('lead from a choice to a connected broker and the sensors of its messages', async () => {
    const page = await open('/connect');
    const errors = watchErrors(page);
    await page.getByRole('link', { name: 'MQTT broker' }).click();
    await page.getByRole('heading', { name: 'No sources yet' }).waitFor();
    await inspectConsole(page, 'sources-none');
    await page.getByRole('link', { name: 'New source' }).click();
    await page.getByLabel('Name', { exact: true }).fill('broker at home');
    await page.getByLabel('Broker').fill('http://127.0.0.1');
    await page.getByLabel('Format of the messages').selectOption('Tasmota');
    assert.equal(await page.getByLabel('Topics').inputValue(), 'tele/+/SENSOR\ntele/+/STATE');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('alert').getByText('“Broker” must be a URL').waitFor();
    await inspectConsole(page, 'source-refused');
    await page.getByLabel('Broker').fill(broker.url);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('connected', { exact: true }).waitFor();
    await until('it has subscribed', () => broker.subscribed.length === 3);
    await broker.publish(
      'tele/plug/SENSOR',
      '{"Time":"2026-11-26T10:00:00","AM2301":{"Temperature":21.5},"TempUnit":"C"}',
    );
    await page.getByText(/ago$/).waitFor();
    await inspectConsole(page, 'sources');
    await broker.publish('tele/plug/SENSOR', '{"Time":');
    await page.getByRole('link', { name: 'Latest messages' }).click();
    await page.getByText('is no JSON', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'plug' }).waitFor();
    await page.getByText('1 unreadable message').waitFor();
    await inspectConsole(page, 'source-messages');
    await page.getByRole('link', { name: 'Series' }).click();
    await page.getByText('tele/plug').first().waitFor();
    assert.deepEqual(errors, []);
  });

  it('show why a connection failed, are switched off and deleted', async () => {
    await buildMqttSource(user, { name: 'nobody listens' });
    const page = await open('/sources');
    await page.getByText('failed', { exact: true }).waitFor();
    await inspectConsole(page, 'sources-failed');
    await page.goto(`${platform.url}/console/`);
    await page.getByRole('link', { name: 'nobody listens' }).click();
    await page.getByText('failed', { exact: true }).waitFor();
    await page.getByText('connection refused').waitFor();
    await inspectConsole(page, 'source-failed');
    await page.goto(`${platform.url}/console/sources`);
    await page.getByRole('button', { name: 'Switch off nobody listens' }).click();
    await page.getByText('off', { exact: true }).waitFor();
    assert.equal((await sources())[0].enabled, false);
    await page.getByRole('button', { name: 'Delete nobody listens' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No sources yet' }).waitFor();
    assert.deepEqual(await sources(), []);
  });

  it('keep a stored password unless another one is given, and need none without a user', async () => {
    const login = { username: 'platform', password: 'of the broker', ca_certificate: AUTHORITY };
    const id = await buildMqttSource(user, { url: broker.url, ...login });
    const page = await open(`/sources/${id}`);
    assert.equal(await page.getByLabel('Password').inputValue(), '');
    await page.getByText('A password is stored.').waitFor();
    await page.getByText('Version, certificate, limit').click();
    assert.equal(
      (await page.getByLabel('Certificate of a certificate authority').inputValue()).trim(),
      AUTHORITY.trim(),
    );
    await page.getByLabel('MQTT version').selectOption('5');
    await page.getByLabel('Maximum number of new sensors').fill('7');
    await inspectConsole(page, 'source');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'MQTT sources', level: 1 }).waitFor();
    const [{ password, protocol_version, create_limit }] = await sources();
    assert.deepEqual([password, protocol_version, create_limit], ['…', 5, 7]);
    await page.getByRole('link', { name: 'a broker' }).click();
    await page.getByLabel('Username').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'MQTT sources', level: 1 }).waitFor();
    assert.equal((await sources())[0].password, '');
  });
});
