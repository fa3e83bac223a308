import assert from 'node:assert/strict';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('the language of errors', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const other = useUser(platform);
  const GERMAN = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' };

  it('is the one that the request prefers, with the same status, code and names of fields', async () => {
    const sensor = await buildSensor(user, { name: 'hall' });
    const trigger = { name: 'warm', expression: 'sensor_data_value >> 3' };
    const cases: [method: 'get' | 'post' | 'put' | 'delete', path: string, body: unknown, german: string][] = [
      ['get', '/sensors/999999', undefined, 'der Sensor existiert nicht'],
      ['post', '/sensors', { sensor: {} }, 'sensor.name fehlt'],
      ['post', '/triggers', { trigger }, 'trigger.expression ist nicht brauchbar: unerwartet: ">" an Position 19'],
      ['get', `/sensors/${sensor}/data?per_page=x`, undefined, 'per_page muss eine ganze Zahl sein'],
      ['get', '/sensors?page=-1', undefined, 'page muss mindestens 0 sein'],
      ['get', '/nowhere', undefined, 'unbekannter Pfad'],
      ['put', `/users/${other.id}`, { user: { name: 'x' } }, 'das ist nicht Ihr Konto'],
      [
        'post',
        '/users',
        { user: { username: user.username, email: 'a@example.org', password: 'a'.repeat(32) } },
        'dieser Benutzername ist vergeben',
      ],
      [
        'put',
        `/users/${user.id}`,
        { user: { timezone: 'Mars' } },
        'user.timezone muss der Name einer Zeitzone sein, etwa Europe/Berlin',
      ],
      [
        'post',
        '/notifications',
        { notification: { type: 'email', destination: 'x' } },
        'notification.destination muss eine E-Mail-Adresse sein',
      ],
    ];
    for (const [method, path, body, german] of cases) {
      const send = (headers: Record<string, string>) =>
        method === 'get' ? user.api.get(path, headers) : user.api[method](path, body, headers);
      // Without the header `fetch` sends `*`.
      const [plain, english, inGerman] = [
        await send({}),
        await send({ 'Accept-Language': 'en-GB, de;q=0.5' }),
        await send(GERMAN),
      ];
      assert.equal(inGerman.body.error, german, path);
      assert.deepEqual([inGerman.status, inGerman.body.code], [plain.status, plain.body.code], path);
      assert.deepEqual(Object.keys(inGerman.body.fields ?? {}), Object.keys(plain.body.fields ?? {}));
      assert.deepEqual(english.body, plain.body);
      assert.notEqual(plain.body.error, german);
      assert.equal(inGerman.headers.get('content-language'), 'de');
      for (const { headers } of [plain, inGerman]) assert.match(headers.get('cache-control') ?? '', /no-store/);
      assert.equal(plain.headers.get('content-language'), null);
    }
  });

  it('is the language of the reasons in an answer about many', async () => {
    const action = { delete: {} };
    const failedOf = async (path: string, body: object) =>
      (await user.api.post(path, body, GERMAN)).body.failed[0].error;
    assert.equal(await failedOf('/sensors/bulk', { sensors: ['999999'], action }), 'der Sensor existiert nicht');
    const acknowledge = { firings: ['999999'], action: { acknowledge: {} } };
    assert.equal(await failedOf('/firings/bulk', acknowledge), 'die Auslösung existiert nicht');
    const plain = await user.api.post('/firings/bulk', acknowledge);
    assert.equal(plain.body.failed[0].error, 'the firing does not exist');
  });

  it('is the language of warnings', async () => {
    const post = async (path: string, body: object) => (await user.api.post(path, body, GERMAN)).body.warning;
    const create = async (path: string, body: object) => String((await user.api.post(path, body)).body.notification.id);
    const sensor = await buildSensor(user, { data_type: 'json', data_structure: { celsius: 'float' } });
    await upload(user, sensor, { value: { celsius: 4 } });
    const connect = async (trigger: Record<string, unknown>) => {
      const id = await buildTrigger(user, trigger);
      const plain = (await user.api.post(`/sensors/${sensor}/triggers`, { trigger: { id } })).body.warning;
      return [plain, (await user.api.get(`/triggers/${id}`, GERMAN)).body.warning];
    };
    const [english, german] = await connect({ expression: 'sensor_data_value.lux > 3' });
    assert.match(english, /^no sensor that the trigger is connected to has the field "lux"/);
    assert.match(german, /^kein Sensor, mit dem die Regel verbunden ist, hat das Feld "lux"/);
    const [, window] = await connect({ expression: 'sum_over_time(sensor_data_value, 60) > 3' });
    assert.match(window, /^die neuesten Werte .* in denen "sum_over_time" keine Zahlen findet/);
    const end = { notify_resolved: true, resolved_text: '{{sensor_data_value.lux}}' };
    const [, text] = await connect({ expression: 'true', ...end });
    const nothing = 'In den neuesten Werten der verbundenen Sensoren gilt: sensor_data_value.lux existiert nicht';
    assert.equal(text, `der Text ihres Endes zeigt nichts für sensor_data_value.lux: ${nothing}`);
    const email = { type: 'email', destination: 'a@example.org', text: '{{sensor_data_value.lux}}' };
    const notification = await create('/notifications', { notification: email });
    const trigger = await buildTrigger(user);
    await connectTrigger(user, sensor, trigger);
    assert.equal(
      await post(`/sensors/${sensor}/triggers/${trigger}/notifications`, { notification: { id: notification } }),
      `die Benachrichtigung ${notification} zeigt nichts für sensor_data_value.lux: ${nothing}`,
    );
    const passing = { name: 'x', expression: 'times_triggered < 3', notify_resolved: true };
    assert.match(await post('/triggers', { trigger: passing }), /^der Ausdruck liest times_triggered, daher kann er /);
    const hidden = { type: 'url', destination: 'http://192.0.2.7/', text: '' };
    assert.match(await post('/notifications', { notification: hidden }), /^diese Installation liefert nicht an die /);
  });

  it('is the language of what is recorded of a rule, and of previews; values of users stay as they are', async () => {
    const sensor = await buildSensor(user, { data_type: 'json' });
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value.lux > 3' });
    await connectTrigger(user, sensor, trigger);
    const value = { last_error: 'the sensor does not exist', note: 'the sensor does not exist' };
    await upload(user, sensor, { value });
    await platform.settle();
    const get = async (path: string) => (await user.api.get(path, GERMAN)).body;
    const { triggers } = await get(`/sensors/${sensor}/triggers`);
    assert.equal(triggers[0].last_error, 'sensor_data_value.lux existiert nicht');
    const plain = await user.api.get(`/sensors/${sensor}/triggers`);
    assert.equal(plain.body.triggers[0].last_error, 'sensor_data_value.lux does not exist');
    const { data } = await get(`/sensors/${sensor}/data`);
    assert.deepEqual(JSON.parse(data[0].value), value);
    const body = { text: '{{1 / 0}}{{abs("x")}}' };
    const notification = { type: 'url', destination: 'https://example.org/', text: '', body };
    const { preview } = (await user.api.post('/notifications/preview', { notification }, GERMAN)).body;
    assert.equal(preview.note, '{{1 / 0}}: Division durch null; {{abs("x")}}: ein Text, wo eine Zahl nötig ist');
  });

  it('is English for a language that there is none of, and in the errors of OAuth 2 and of agents', async () => {
    const french = await user.api.get('/sensors/999999', { 'Accept-Language': 'fr' });
    assert.equal(french.body.error, 'the sensor does not exist');
    const { body } = await platform.anonymous.post('/oauth2/token', { grant_type: 'nothing' }, GERMAN);
    assert.match(body.error_description, /^[\x20-\x7e]+$/);
  });
});
