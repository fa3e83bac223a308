import assert from 'node:assert/strict';
import { create } from '../../support/factories';
import { useWarmHall } from '../../support/warm-hall';

type Fields = Record<string, unknown>;

describe('the request of a notification', () => {
  const { clock, platform, receiver, user, other, build, send } = useWarmHall();
  const attempt = async () => (await user.api.get('/deliveries?sort=desc')).body.deliveries[0].attempts.at(-1);
  const change = (id: string, notification: Fields) => user.api.put(`/notifications/${id}`, { notification });

  it('has the body, the method, the headers and the path of its owner, and is signed', async () => {
    const { sensorId } = await build({
      destination: `${receiver.url}/rooms/{{sensor_name}}/{{webhook_id}}?by={{secrets.token}}`,
      method: 'PUT',
      headers: { Authorization: 'Bearer s3cret', 'User-Agent': 'ours' },
      secrets: { token: 'a/b' },
      body: { text: '{{title}}: {{text}}', level: '{{number(severity == "critical" ? 8 : 5)}}', at: ['{{iso(date)}}'] },
      body_resolved: { text: '{{text}} after {{duration}} s', episode: '{{episode}}' },
    });
    await send(sensorId, 31);
    await send(sensorId, 20);
    const [fired, ended] = receiver.received;
    assert.deepEqual(
      [fired?.method, fired?.headers.authorization, fired?.headers['user-agent']],
      ['PUT', 'Bearer s3cret', 'ours'],
    );
    assert.equal(fired?.path, `/rooms/hall/${fired?.headers['webhook-id']}?by=a%2Fb`);
    assert.match(String(fired?.headers['webhook-signature']), /^v1,/);
    const at = new Date(clock.now() - 1_000).toISOString();
    const text = 'Critical: warm on hall: 31 degrees';
    assert.deepEqual(JSON.parse(fired?.rawBody ?? ''), { text, level: 8, at: [at] });
    const { firings } = (await user.api.get('/firings')).body;
    assert.deepEqual(JSON.parse(ended?.rawBody ?? ''), {
      text: 'warm on hall: resolved after 1 s',
      episode: firings[0].id,
    });
  });

  it('may be a form, or a text', async () => {
    const { sensorId, id } = await build({
      content_type: 'application/x-www-form-urlencoded',
      body: { Body: '{{text}} & more', To: '+31' },
    });
    await send(sensorId, 31);
    assert.equal(receiver.received[0]?.rawBody, 'Body=31+degrees+%26+more&To=%2B31');
    assert.equal((await change(id, { content_type: 'text/plain', body: '{{text}}!' })).status, 200);
    clock.advance(60_000);
    await send(sensorId, 1);
    const [, ended] = receiver.received;
    assert.deepEqual([ended?.headers['content-type'], ended?.rawBody], ['text/plain', 'warm on hall: resolved!']);
    assert.equal((await change(id, { content_type: null, body: null })).status, 200);
    await send(sensorId, 31);
    assert.equal(receiver.received[2]?.form.text, '31 degrees');
  });

  it('leaves out what cannot be evaluated, and the attempt says so', async () => {
    const { sensorId } = await build({
      body: { a: '{{sensor_data_value.humidity * 2}}', b: '{{sensor_data_value.degrees}}' },
    });
    await send(sensorId, 31);
    assert.equal(receiver.received[0]?.rawBody, '{"a":"","b":"31"}');
    const { note, error, status_code } = await attempt();
    const why = '{{sensor_data_value.humidity * 2}}: sensor_data_value.humidity does not exist';
    assert.deepEqual([note, error, status_code], [why, '', 200]);
  });

  it('serves tests, events and the end at a URL of its own', async () => {
    const { sensorId, id } = await build({
      destination_resolved: `${receiver.url}/{{episode}}/close`,
      body: { kind: '{{kind}}', state: '{{state}}', test: '{{test}}', event: '{{event}}', title: '{{title}}' },
    });
    assert.equal((await user.api.post(`/notifications/${id}/test`)).status, 201);
    await platform.settle();
    await create(user, '/events', { event: { name: 'add_trigger' }, notifications: [{ notification: { id } }] }).catch(
      () => undefined,
    );
    await send(sensorId, 31);
    await send(sensorId, 20);
    const bodies = receiver.received.map(({ rawBody }) => JSON.parse(rawBody));
    assert.deepEqual(bodies[0], {
      kind: 'test',
      state: 'firing',
      test: 'true',
      event: '',
      title: 'Test: Critical: warm on hall',
    });
    const [firing] = (await user.api.get('/firings')).body.firings;
    assert.equal(receiver.received.at(-1)?.path, `/${firing.id}/close`);
    assert.equal(bodies.at(-1)?.state, 'resolved');
  });

  it('never shows its headers and secrets, and keeps those that are sent back hidden', async () => {
    const { id, sensorId } = await build({
      headers: { 'X-Key': 'k3y' },
      secrets: { token: 's3cret' },
      body: { t: '{{secrets.token}}' },
    });
    const shown = (await user.api.get(`/notifications/${id}`)).body.notification;
    assert.deepEqual([shown.headers, shown.secrets], [{ 'X-Key': '…' }, { token: '…' }]);
    const [row] = await platform.query('SELECT headers, secrets FROM notifications WHERE id = ?', [id]);
    assert.doesNotMatch(JSON.stringify(row), /k3y|s3cret/);
    assert.equal(
      (await change(id, { headers: { ...shown.headers, 'X-More': '1' }, secrets: shown.secrets })).status,
      200,
    );
    await send(sensorId, 31);
    const [{ headers, rawBody } = assert.fail()] = receiver.received;
    assert.deepEqual([headers['x-key'], headers['x-more'], rawBody], ['k3y', '1', '{"t":"s3cret"}']);
  });

  it('hides secrets and the link to acknowledge in recorded bodies, also where the receiver repeats them', async () => {
    const secrets = { token: 'a "b"/ü' };
    const { sensorId, id } = await build({ secrets, body: { t: 'x {{secrets.token}}', link: '{{acknowledge_url}}' } });
    receiver.responses.push((response) =>
      response.writeHead(200).end(`no ${secrets.token}: ${receiver.received[0]?.rawBody}`),
    );
    await send(sensorId, 31);
    const { deliveries } = (await user.api.get(`/deliveries?notification_id=${id}`)).body;
    const { attempts } = (await user.api.get(`/deliveries/${deliveries[0].id}`)).body.delivery;
    const link = `http://localhost:8080/acknowledge?token=…`;
    assert.deepEqual(JSON.parse(attempts[0].request_body), { t: 'x …', link });
    assert.match(attempts[0].response_body, /^no …: /);
    assert.doesNotMatch(JSON.stringify(attempts), /a \\+"b|token=n/);
  });

  it('names each value that must be given again for another receiver', async () => {
    const { id } = await build({ headers: { 'X-Key': 'k3y' }, secrets: { token: 's3cret', user: 'ada' } });
    const { status, body } = await change(id, {
      destination: 'http://127.0.0.2:9/',
      secrets: { token: '…', user: '…' },
    });
    const paths = ['headers.X-Key', 'secrets.token', 'secrets.user'].map((path) => `notification.${path}`);
    assert.deepEqual([status, Object.keys(body.fields)], [400, paths]);
    assert.equal(body.error, `${paths.join(', ')} must be given again for another receiver`);
  });

  it('sends headers and secrets to no other receiver', async () => {
    const { id, sensorId } = await build({ headers: { 'X-Key': 'k3y' }, body: { t: 'x' } });
    const elsewhere = 'http://127.0.0.2:9/';
    for (const fields of [{ destination: elsewhere }, { destination: elsewhere, headers: { 'X-Key': '…' } }]) {
      const { status, body } = await change(id, fields);
      assert.deepEqual([status, body.code], [400, 'invalid_input']);
      assert.match(body.error, /must be given again for another receiver/);
    }
    receiver.responses.push(503);
    await send(sensorId, 31);
    assert.equal((await change(id, { destination: elsewhere, headers: { 'X-Key': 'other' } })).status, 200);
    clock.advance(3_600_000);
    await platform.container.heartbeat.beat();
    await platform.settle();
    const keys = receiver.received.map(({ headers }) => headers['x-key']);
    assert.deepEqual(keys, ['k3y', undefined]);
  });

  const refused: [string, Fields, RegExp][] = [
    [
      'an unknown name',
      { body: { a: ['{{humidity}}'] } },
      /^notification\.body\.a\[0\] cannot be used: unknown name "humidity" at position 2$/,
    ],
    ['a template without an end', { body: { a: '{{title' } }, /"\}\}" is missing at position 0$/],
    [
      'a template in the host',
      { destination: 'http://{{sensor_name}}.example.org/' },
      /the host must not hold templates/,
    ],
    ['a body that is no JSON', { body: 'text' }, /^notification\.body must be a JSON object or list$/],
    ['a body that is too large', { body: { a: 'x'.repeat(20_001) } }, /at most 20000 characters/],
    [
      'a header with a line break',
      { headers: { 'X-A': 'a\r\nHost: b' } },
      /^notification\.headers\.X-A must be a string/,
    ],
    ['a header with an illegal name', { headers: { 'X A:': 'a' } }, /must be the name of a header/],
    ['a header of the connection', { headers: { 'Content-Length': '3' } }, /is set by the platform/],
    ['a header of the signature', { headers: { 'Webhook-Id': 'a' } }, /is set by the platform/],
    ['a header given twice', { headers: { 'X-A': 'a', 'x-a': 'b' } }, /is given twice/],
    [
      'eleven headers',
      { headers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, 'a'])) },
      /at most 10/,
    ],
    [
      'a hidden header that is not known',
      { headers: { 'X-A': '…' } },
      /^notification\.headers\.X-A must be given: no value/,
    ],
    [
      'a template in a header',
      { headers: { 'X-A': '{{secrets.q}}' }, secrets: { q: 'a' } },
      /headers\.X-A must not hold \{\{/,
    ],
    [
      'an object as a text',
      { content_type: 'text/plain', body: { a: 1 } },
      /^notification\.body must be a string for this/,
    ],
    ['a number as a text', { content_type: 'text/plain', body: 5 }, /^notification\.body must be a string for this/],
    [
      'an object as a text for the end',
      { content_type: 'text/plain', body: 'a', body_resolved: { a: 1 } },
      /^notification\.body_resolved must be a string for this/,
    ],
    [
      'a secret that is not given',
      { body: { a: '{{secrets.nope}}' } },
      /^notification\.body\.a .*there is no secret "nope" at position 2$/,
    ],
    [
      'a secret that is not given in the path',
      { destination: 'http://example.org/{{secrets.nope}}', secrets: { no: 'a' } },
      /^notification\.destination .*there is no secret "nope" at position 21$/,
    ],
    [
      'a secret without its name',
      { body: { a: '{{secrets}}' }, secrets: { token: 'a' } },
      /^notification\.body\.a .*"secrets" needs the name of a secret/,
    ],
    ['a method', { method: 'GET' }, /method/],
    [
      'a content type with a line break',
      { content_type: 'text/plain\r\nX: y', body: 'a' },
      /content_type must be a media type/,
    ],
    [
      'another host for the end',
      { destination_resolved: 'http://127.0.0.3/' },
      /must have the host of the destination/,
    ],
    ['a certificate', { ca_certificate: 'none' }, /must be a certificate in PEM format/],
    ['a body for a mail', { type: 'email', destination: 'a@example.org', body: {} }, /type must be url/],
  ];
  for (const [what, fields, error] of refused) {
    it(`is refused with ${what}, and nothing is created`, async () => {
      const notification = { type: 'url', destination: receiver.url, ...fields };
      const { status, body } = await other.api.post('/notifications', { notification });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.error, error);
      assert.deepEqual((await other.api.get('/notifications')).body.notifications, []);
    });
  }

  it('keeps its body when a change of the content type or of a secret would break it', async () => {
    const { id } = await build({ body: { t: '{{secrets.token}}' }, secrets: { token: 's3cret' } });
    for (const [fields, field, why] of [
      [{ content_type: 'text/plain' }, 'body', /must be a string/],
      [{ secrets: { other: 'a' } }, 'body.t', /there is no secret "token"/],
    ] as const) {
      const { status, body } = await change(id, fields);
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [`notification.${field}`]]);
      assert.match(body.error, why);
    }
    const { body, content_type, secrets } = (await user.api.get(`/notifications/${id}`)).body.notification;
    assert.deepEqual([body, content_type, secrets], [{ t: '{{secrets.token}}' }, null, { token: '…' }]);
  });

  it('can be changed in other fields although a stored template reads a secret that does not exist', async () => {
    const { id } = await build({ body: { t: 'x' } });
    await platform.query('UPDATE notifications SET body = ? WHERE id = ?', ['{"t":"{{secrets.nope}}"}', id]);
    assert.equal((await change(id, { text: 'hot' })).status, 200);
    assert.equal((await change(id, { method: 'PUT' })).status, 400);
  });
});
