import assert from 'node:assert/strict';
import { sealSecrets } from '../../../src/notifications/notifications/sealed-values';
import { AUTHORITY } from '../../support/certificates';
import { buildNotification } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

const DESTINATION = 'http://receiver.example.org/hook';

describe('the limits of the requests of notifications', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const other = useUser(platform);
  const post = (fields: object, { api } = user) =>
    api.post('/notifications', { notification: { type: 'url', destination: DESTINATION, text: 'a', ...fields } });
  const change = (id: string, notification: object) => user.api.put(`/notifications/${id}`, { notification });

  it('are 8,192 bytes for all headers, also if they are added one by one', async () => {
    const error = 'notification.headers must have at most 8192 bytes in all names and values';
    const large = 'x'.repeat(4_000);
    const refused = await post({ headers: { 'X-A': large, 'X-B': large, 'X-C': 'y'.repeat(200) } });
    assert.deepEqual([refused.status, refused.body.error], [400, error]);
    const { status, body } = await post({ headers: { 'X-A': large, 'X-B': large } });
    assert.equal(status, 201);
    const more = await change(body.notification.id, { headers: { 'X-A': '…', 'X-B': '…', 'X-C': 'y'.repeat(200) } });
    assert.deepEqual([more.status, more.body.error], [400, error]);
  });

  it('leave larger headers from before as they are', async () => {
    const id = await buildNotification(user, { destination: DESTINATION, headers: { 'X-0': 'a' } });
    const names = Array.from({ length: 10 }, (_, index) => `X-${index}`);
    const large = Object.fromEntries(names.map((name) => [name, 'a'.repeat(3_990)]));
    const headers = sealSecrets(platform.container.secretBox, large, Number(user.id), null);
    await platform.query('UPDATE notifications SET headers = ? WHERE id = ?', [headers, id]);
    const kept = Object.fromEntries(names.map((name) => [name, '…']));
    assert.equal((await change(id, { text: 'other', headers: kept })).status, 200);
    const [row] = await platform.query('SELECT headers FROM notifications WHERE id = ?', [id]);
    assert.equal(Object(row).headers, headers);
    assert.equal((await change(id, { headers: { 'X-0': '…' } })).status, 200, 'fewer of them');
  });

  it('leave no template in the host, however the URL is written', async () => {
    for (const destination of [
      'http:///evil{{secrets.x}}/',
      'http:/evil{{secrets.x}}/',
      'http:\\\\evil{{secrets.x}}/',
    ]) {
      const { status, body } = await post({ destination, secrets: { x: 'sesame' } });
      assert.equal(status, 400, destination);
      assert.match(body.error, /^notification\.destination cannot be used: the host must not hold templates/);
    }
  });

  it('are ten different authorities of a user, and the error names the limit', async () => {
    const authority = (index: number) => ({ ca_certificate: `# ${index}\n${AUTHORITY}` });
    const statuses = await Promise.all(Array.from({ length: 14 }, (_, index) => post(authority(index))));
    const refused = statuses.filter(({ status }) => status === 409);
    assert.equal(refused.length, 4, JSON.stringify(statuses.map(({ status }) => status)));
    assert.equal(
      refused[0]?.body.error,
      'your notifications have 10 different ca_certificates, which is as many as they can',
    );
    const taken = statuses.findIndex(({ status }) => status === 201);
    const { status, body } = await post(authority(taken));
    assert.equal(status, 201, 'one that another notification has');
    assert.equal((await change(body.notification.id, authority(20))).status, 409);
    assert.equal((await change(body.notification.id, { text: 'other' })).status, 200);
    assert.equal((await post(authority(20), other)).status, 201, 'each user has their own');
  });
});
