import assert from 'node:assert/strict';
import { buildNotification, buildSensor, create, share } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

const HOUR_MS = 3_600_000;

describe('an event without a text', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const body = { title: '{{title}}', message: '{{message}}' };

  const sendEvents = async (event: string, owner = user) => {
    const id = await buildNotification(owner, { destination: receiver.url, text: '', body });
    await create(owner, '/events/notifications', { event_notification: { event, notification_id: id } });
  };
  const sent = async () => {
    await platform.settle();
    const { rawBody } = receiver.received.at(-1) ?? assert.fail('nothing was sent');
    return Object.values(JSON.parse(rawBody));
  };

  it('says what happened, and names the thing of its owner', async () => {
    await sendEvents('add_sensor');
    await buildSensor(user, { name: 'cellar' });
    assert.deepEqual(await sent(), ['A sensor was created', 'Sensor “cellar”']);
  });

  it('names a thing that is gone by its id', async () => {
    const id = await buildSensor(user, { name: 'cellar' });
    await sendEvents('delete_sensor');
    assert.equal((await user.api.delete(`/sensors/${id}`)).status, 200);
    assert.deepEqual(await sent(), ['A sensor was deleted', `Sensor ${id}`]);
  });

  it('names what its reader may see, and nothing else', async () => {
    const other = await platform.user();
    const id = await buildSensor(user, { name: 'cellar' });
    await share(user, id, other);
    await sendEvents('update_sensor', other);
    receiver.responses.push(500);
    assert.equal((await user.api.put(`/sensors/${id}`, { sensor: { name: 'attic' } })).status, 200);
    assert.deepEqual(await sent(), ['A sensor was changed', 'Sensor “attic”']);
    assert.equal((await user.api.delete(`/sensors/${id}/users/${other.id}`)).status, 200);
    clock.advance(HOUR_MS); // until the second attempt
    assert.deepEqual(await sent(), ['A sensor was changed', `Sensor ${id}`]);
    assert.equal(receiver.received.length, 2);
  });

  it('says which notification failed its probe', async () => {
    await sendEvents('probe_failed');
    const webhook_url = `${receiver.url}/api/webhooks/1310203040506070809/aBcDeFgHiJkLmNoPqRsTuVwX`;
    receiver.responses.push(410);
    await create(user, '/notifications', { notification: { preset: 'discord', webhook_url, probe: 3_600 } });
    clock.advance(HOUR_MS);
    await platform.settle();
    const host = new URL(receiver.url).host;
    assert.deepEqual(await sent(), ['A probe of a notification failed for good', `Notification “Discord · ${host}”`]);
  });
});
