import assert from 'node:assert/strict';
import { WEBHOOKS } from '../../../src/api/openapi/webhooks';
import { buildAlarms } from '../../support/alarm';
import { create } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import { schemaValidator } from '../../support/webhook-schemas';

const LIMIT = 3;
const SENSORS = 8;

describe('many deliveries of a notification in a minute', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock();
  const platform = usePlatform(() => ({
    clock,
    config: { ...mailbox.settings, DIGEST_AFTER: String(LIMIT), MAIL_CONFIRMATION: 'off' },
  }));
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  /** Sensors with one trigger and one notification. */
  const build = async (fields: Record<string, unknown>) => {
    const sensors = Array.from({ length: SENSORS }, (_, index) => ({
      name: `greenhouse ${index}`,
      display_name: 'Temperature (°C)',
    }));
    const notification = { destination: receiver.url, text: 'now $sensor_data_value', ...fields };
    const built = await buildAlarms(user, { sensors, trigger: { name: 'too warm' }, notifications: [notification] });
    return { trigger: built.triggerId, notification: built.notificationIds[0], sensors: built.sensorIds };
  };
  const fire = async (sensors: readonly string[], value = 31) => {
    const date = clock.now() / 1000;
    const data = sensors.map((sensor_id) => ({ sensor_id, data: [{ value, date }] }));
    await create(user, '/sensors/data', { sensors: data });
    await platform.settle();
  };
  const endOfMinute = async () => {
    clock.advance(60_000);
    await platform.settle();
  };
  const deliveries = async (query = '') => (await user.api.get(`/deliveries${query}`)).body.deliveries;
  const kept = async () => (await deliveries()).filter((one: { digest_id: string | null }) => one.digest_id !== null);

  it('are the first ones and then one mail with a list, and each of them says so', async () => {
    const { sensors, trigger } = await build({ type: 'email', destination: 'ward@example.org' });
    await fire(sensors);
    assert.equal(mailbox.mails.length, LIMIT);
    const waiting = await kept();
    assert.equal(waiting.length, SENSORS - LIMIT);
    const [digest, ...others] = (await deliveries()).filter(({ is_digest }: { is_digest: boolean }) => is_digest);
    assert.deepEqual([others, digest.status, digest.sensor_id], [[], 'pending', null]);
    for (const one of waiting) {
      assert.deepEqual([one.status, one.digest_id, one.next_attempt, one.text], ['pending', digest.id, null, 'now 31']);
    }
    assert.equal(digest.digest_size, SENSORS - LIMIT);
    assert.deepEqual(await deliveries(`?digest_id=${digest.id}`), waiting);
    assert.equal((await deliveries('?aggregated=false')).length, LIMIT + 1);
    assert.equal((await deliveries(`?aggregated=false&digest_id=${digest.id}`)).length, waiting.length);
    await endOfMinute();
    assert.equal(mailbox.mails.length, LIMIT + 1);
    const mail = mailbox.mails.at(-1)?.text ?? '';
    assert.match(mail, /^Subject: 5 more alerts: too warm on greenhouse \d and others\r$/m);
    for (const one of waiting) {
      const name = `greenhouse ${sensors.indexOf(one.sensor_id)}`;
      assert.ok(mail.includes(`too warm on ${name}: 31 `), name);
    }
    for (const one of await kept()) {
      const { status, attempts, next_attempt } = one;
      assert.deepEqual([status, attempts.length, attempts[0].error, next_attempt], ['delivered', 1, '', null]);
    }
    let firings = 0;
    for (const sensor of sensors) {
      firings += (await user.api.get(`/sensors/${sensor}/triggers/${trigger}/firings`)).body.firings.length;
    }
    assert.equal(firings, SENSORS, 'nothing is dropped');
    await endOfMinute();
    assert.equal(mailbox.mails.length, LIMIT + 1, 'sent once');
  });

  it('keep the ends of episodes that a deletion ended, in a mail with a list', async () => {
    const { sensors, trigger } = await build({ type: 'email', destination: 'ward@example.org' });
    await user.api.put(`/triggers/${trigger}`, { trigger: { notify_resolved: true } });
    await fire(sensors);
    await endOfMinute();
    await endOfMinute();
    const before = mailbox.mails.length;
    assert.equal((await user.api.delete(`/triggers/${trigger}`)).status, 200);
    await platform.settle();
    await endOfMinute();
    assert.equal(mailbox.mails.length, before + LIMIT + 1);
    const mail = mailbox.mails.at(-1)?.text ?? '';
    assert.match(mail, /^Subject: 5 more alerts: too warm on greenhouse \d and others\r$/m);
    assert.equal(mail.match(/too warm on greenhouse \d: resolved/g)?.length, 2 * (SENSORS - LIMIT));
  });

  it('are sent one by one to URLs, unless the notification says otherwise', async () => {
    const { notification, sensors } = await build({});
    const { digest } = (await user.api.get(`/notifications/${notification}`)).body.notification;
    assert.equal(digest, false);
    await fire(sensors);
    assert.equal(receiver.received.length, SENSORS);
    clock.advance(60_000);
    await user.api.put(`/notifications/${notification}`, { notification: { digest: true } });
    await fire(sensors);
    assert.equal(receiver.received.length, SENSORS + LIMIT);
    await endOfMinute();
    const form = receiver.received.at(-1)?.form;
    assert.deepEqual(Object.keys(form ?? {}), ['text']);
    assert.match(form?.text ?? '', /^5 more alerts within a minute:\n(?:- too warm on greenhouse \d: 31 °C\n?){5}$/);
    const shown = (await deliveries('?per_page=1000')).find(({ is_digest }: { is_digest: boolean }) => is_digest);
    assert.equal(shown.text, form?.text);
  });

  it('have the same body at every attempt of their digest in JSON, and end as it does', async () => {
    const { sensors } = await build({ format: 'json', digest: true });
    await fire(sensors);
    receiver.responses.push(503);
    await endOfMinute();
    assert.ok((await kept()).every(({ status }: { status: string }) => status === 'pending'));
    await fire(sensors.slice(0, 1), 35);
    clock.advance(6_000);
    await platform.settle();
    const digests = receiver.received.filter(({ rawBody }) => rawBody.includes('trigger.digest'));
    assert.equal(digests.length, 2);
    assert.equal(digests[0]?.rawBody, digests[1]?.rawBody);
    assert.equal(digests[0]?.headers['webhook-id'], digests[1]?.headers['webhook-id']);
    const body = JSON.parse(digests[0]?.rawBody ?? '{}');
    const { type, data } = body;
    assert.deepEqual(schemaValidator(WEBHOOKS.triggersDigested, 'application/json')(body), []);
    assert.deepEqual([type, data.count, data.alerts.length], ['trigger.digest', SENSORS - LIMIT, SENSORS - LIMIT]);
    const [first] = data.alerts;
    assert.deepEqual(
      [first.trigger.name, first.value, first.text, first.state],
      ['too warm', '31', 'now 31', 'firing'],
    );
    assert.ok((await kept()).every(({ status }: { status: string }) => status === 'delivered'));
  });

  it('fail with their digest, and are redelivered with it or alone', async () => {
    const { notification, sensors } = await build({ digest: true });
    await fire(sensors);
    receiver.responses.push(410);
    await endOfMinute();
    const failed = await kept();
    assert.ok(failed.every(({ status }: { status: string }) => status === 'failed'));
    const [alone] = failed;
    assert.equal((await user.api.post(`/deliveries/${alone.id}/redeliver`)).status, 200);
    await platform.settle();
    assert.equal(receiver.received.at(-1)?.form.sensor_id, alone.sensor_id);
    const again = await user.api.post(`/notifications/${notification}/redeliver`);
    assert.equal(again.body.redelivered, 1, 'the digest');
    await platform.settle();
    assert.match(receiver.received.at(-1)?.form.text ?? '', /^4 more alerts/);
    assert.ok((await deliveries()).every(({ status }: { status: string }) => status === 'delivered'));
  });

  it('of which some were deleted leave these out, and end with the notification', async () => {
    const { notification, sensors } = await build({ digest: true });
    await fire(sensors);
    const [gone] = await kept();
    await user.api.delete(`/sensors/${gone.sensor_id}`);
    await endOfMinute();
    assert.match(receiver.received.at(-1)?.form.text ?? '', /^4 more alerts/);
    const rest = sensors.filter((sensor) => sensor !== gone.sensor_id);
    await fire(rest);
    const before = receiver.received.length;
    await user.api.put(`/notifications/${notification}`, { notification: { enabled: false } });
    await endOfMinute();
    assert.equal(receiver.received.length, before);
    const pending = await deliveries('?status=pending');
    assert.deepEqual(pending, []);
  });
});
