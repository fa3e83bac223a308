import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type Api, apiClient } from '../../support/api-client';
import { registerApplication } from '../../support/applications';
import { buildSensor, buildTrigger, create, createKey } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { OAuth2Flow } from '../../support/oauth2';
import { type Received } from '../../support/receiver';

const HOUR_MS = 3_600_000;

describe('signing secrets', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const make = async () => {
    const notification = { type: 'url', destination: receiver.url, text: 'hot' };
    return (await user.api.post('/notifications', { notification })).body.notification;
  };
  const rotate = async (id: string) => (await user.api.post(`/notifications/${id}/rotate_secret`)).body.notification;
  /** The names of the secrets that sign the next delivery, in the order of the signatures. */
  const signers = async (id: string, secrets: Record<string, string>) => {
    await user.api.post(`/notifications/${id}/test?wait=0`);
    await platform.settle();
    const request = receiver.received.at(-1) ?? assert.fail('nothing arrived');
    return String(request.headers['webhook-signature'])
      .split(' ')
      .map((signature) => Object.keys(secrets).find((name) => sign(request, secrets[name] ?? '') === signature));
  };

  it('are replaced, and the previous one also signs for a day', async () => {
    const made = await make();
    assert.equal(made.previous_secret_until, null);
    const response = await user.api.post(`/notifications/${made.id}/rotate_secret`);
    assert.equal(response.status, 200);
    const { signing_secret, previous_secret_until } = response.body.notification;
    assert.notEqual(signing_secret, made.signing_secret);
    assert.match(signing_secret, /^whsec_[\w+/]{32}$/);
    assert.equal(previous_secret_until, (clock.now() + 24 * HOUR_MS) / 1000);
    assert.deepEqual(response.body, (await user.api.get(`/notifications/${made.id}`)).body);
    const secrets = { old: made.signing_secret, new: signing_secret };
    assert.deepEqual(await signers(made.id, secrets), ['new', 'old']);
    clock.advance(24 * HOUR_MS - 1);
    assert.deepEqual(await signers(made.id, secrets), ['new', 'old']);
    clock.advance(1);
    assert.deepEqual(await signers(made.id, secrets), ['new']);
  });

  it('are not lost when they are replaced twice, as after a lost response', async () => {
    const first = await make();
    const second = await rotate(first.id);
    clock.advance(HOUR_MS);
    const third = await rotate(first.id);
    const secrets = { first: first.signing_secret, second: second.signing_secret, third: third.signing_secret };
    assert.deepEqual(await signers(first.id, secrets), ['third', 'second', 'first']);
    clock.advance(23 * HOUR_MS);
    assert.deepEqual(await signers(first.id, secrets), ['third', 'second']);
  });

  it('are all kept when simultaneous requests replace one', async () => {
    const made = await make();
    const [one, two] = await Promise.all([rotate(made.id), rotate(made.id)]);
    const secrets = { made: made.signing_secret, one: one.signing_secret, two: two.signing_secret };
    assert.deepEqual((await signers(made.id, secrets)).sort(), ['made', 'one', 'two']);
  });

  it('have a bounded number of signatures, however often they are replaced', async () => {
    const made = await make();
    for (let count = 0; count < 30; count += 1) await rotate(made.id);
    assert.equal((await signers(made.id, {})).length, 5);
  });

  it('are shown to sessions and to credentials that may change everything, and to no others', async () => {
    const sensor = await buildSensor(user);
    const trigger = await buildTrigger(user, { expression: 'sensor_data_value > 1' });
    const { id, signing_secret } = await make();
    const path = `/sensors/${sensor}/triggers`;
    await create(user, path, { trigger: { id: trigger } });
    await create(user, `${path}/${trigger}/notifications`, { notification: { id } });
    await rotate(id);
    const shownTo = async (api: Api) => {
      const responses = [
        await api.get('/notifications'),
        await api.get(`/notifications/${id}`),
        await api.put(`/notifications/${id}`, { notification: { text: 'warm' } }),
        await api.get('/sensors/triggers/notifications'),
        await api.get(`${path}/${trigger}/notifications`),
        await api.post(`${path}/${trigger}/notifications`, { notification: { id } }),
      ];
      const texts = responses.filter(({ status }) => status < 400).map(({ body }) => JSON.stringify(body));
      assert.ok(!texts.join('').includes(signing_secret), 'a secret that was replaced is shown to nobody');
      return texts.map((text) => text.includes('whsec_'));
    };
    const key = async (fields: object) =>
      apiClient(platform.url, { Authorization: `Bearer ${(await createKey(user, { ...fields })).secret}` });
    const flow = new OAuth2Flow(platform, await registerApplication(user));
    const token = async (scope: string) =>
      apiClient(platform.url, { Authorization: `Bearer ${(await flow.tokens(user, { scope })).access_token}` });
    assert.deepEqual(await shownTo(user.api), Array(6).fill(true));
    assert.deepEqual(await shownTo(await key({ scopes: ['read', 'write'] })), Array(6).fill(true));
    assert.deepEqual(await shownTo(await token('read write')), Array(6).fill(true));
    assert.deepEqual(await shownTo(await key({ scopes: ['read', 'data:write'] })), Array(4).fill(false));
    assert.deepEqual(await shownTo(await token('read')), Array(4).fill(false));
    assert.deepEqual(await shownTo(await key({ scopes: ['read', 'write'], sensors: [sensor] })), [false, false]);
    const record = (await (await key({ scopes: ['read'] })).get(`/notifications/${id}`)).body.notification;
    assert.deepEqual(Object.keys(record).includes('signing_secret'), false);
    assert.equal(record.id, id);
  });

  it('can be replaced only by the owner', async () => {
    const made = await make();
    const stranger = await platform.user();
    const path = `/notifications/${made.id}/rotate_secret`;
    assert.equal((await stranger.api.post(path)).status, 404);
    assert.equal((await platform.anonymous.post(path)).status, 401);
    assert.equal((await user.api.post('/notifications/0/rotate_secret')).status, 404);
    assert.deepEqual((await user.api.get(`/notifications/${made.id}`)).body.notification, made);
  });
});

/** By hand, as docs/webhooks.md describes it for receivers. */
function sign({ headers, rawBody }: Received, secret: string): string {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${rawBody}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
