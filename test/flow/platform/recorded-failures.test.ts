import assert from 'node:assert/strict';
import { buildNotification } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

/** What the owner sees of a failure of the platform itself. */
const OURS = 'the platform could not build or send the delivery';
const DAY_MS = 86_400_000;

describe('an attempt that the platform cannot make', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const deliveryOf = async (id: string) => (await user.api.get(`/deliveries/${id}`)).body.delivery;
  /** A test of a notification whose row is changed before the test is sent. */
  const send = async (fields: object, sql: string, values: unknown[]) => {
    const id = await buildNotification(user, { destination: receiver.url, ...fields });
    await platform.query(sql, [...values, id]);
    const { delivery } = (await user.api.post(`/notifications/${id}/test?wait=0`)).body;
    return delivery.id as string;
  };

  it('ends a delivery whose templates lead to another host, and says why', async () => {
    const destination = 'http:///127.0.0.1{{secrets.x}}/';
    const sql = 'UPDATE notifications SET destination = ? WHERE id = ?';
    const id = await send({ secrets: { x: '00' } }, sql, [destination]);
    await platform.settle();
    const { status, attempts } = await deliveryOf(id);
    assert.equal(status, 'failed');
    assert.deepEqual(
      attempts.map(({ error }: { error: string }) => error),
      ['the templates of the URL cannot be used, or lead to another host'],
    );
    assert.equal(receiver.received.length, 0);
  });

  it('counts, whatever was thrown: ten attempts end the delivery, without internals', async () => {
    const sql = 'UPDATE notifications SET body = ? WHERE id = ?';
    const id = await send({ body: { a: 'x' } }, sql, ['{"a":"{{nonsense}}"}']);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await platform.settle();
      clock.advance(DAY_MS);
    }
    await platform.settle();
    const { status, attempts } = await deliveryOf(id);
    assert.deepEqual([status, attempts.length], ['failed', 10]);
    assert.deepEqual([...new Set(attempts.map(({ error }: { error: string }) => error))], [OURS]);
    assert.equal(
      (await user.api.get('/notifications')).body.notifications[0].enabled,
      true,
      'not the fault of the receiver',
    );
  });

  for (const [type, destination] of [
    ['email', 'ward@example.org'],
    ['url', 'http://127.0.0.1:9/'],
  ] as const) {
    it(`counts for a delivery by ${type}`, async () => {
      const notificationId = await buildNotification(user, {
        type,
        destination,
        ...(type === 'url' && { format: 'json' }),
      });
      const { delivery } = (await user.api.post(`/notifications/${notificationId}/test?wait=0`)).body;
      await platform.query('UPDATE deliveries SET details = ? WHERE id = ?', ['{', delivery.id]);
      await platform.settle();
      const { status, attempts } = await deliveryOf(delivery.id);
      assert.deepEqual([status, attempts[0]?.error], ['pending', OURS]);
    });
  }
});
