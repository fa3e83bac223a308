import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { writeLines } from '../../support/lines';
import { Mailbox, partsOf } from '../../support/mailbox';

const [WARD, BOSS] = ['ward@example.org', 'boss@example.org'];

describe('the mails of alerts', () => {
  const mailbox = Mailbox.use();
  const clock = fakeClock(Date.UTC(2026, 6, 1, 22, 30, 15));
  const platform = usePlatform(() => ({
    clock,
    config: { ...mailbox.settings, DIGEST_AFTER: '3', MAIL_CONFIRMATION: 'off' },
  }));
  const user = useUserPerTest(platform);

  const mailTo = (destination: string, fields = {}) => ({ type: 'email', destination, text: '', ...fields });
  const pass = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await platform.container.heartbeat.beat();
    await platform.settle();
  };
  /** Time in which data could arrive: a longer pause without a heartbeat is an outage. */
  const stayQuiet = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1_000);
      await platform.container.heartbeat.beat();
    }
    await platform.settle();
  };
  const send = async (sensorId: string, value: number) => {
    await upload(user, sensorId, { value, date: clock.now() / 1000 });
    await platform.settle();
  };
  const mailsTo = (address: string) => mailbox.to(address).map(partsOf);
  const subjectsTo = (address: string) => mailsTo(address).map(({ subject }) => subject);
  const lastTo = (address: string) => mailsTo(address).at(-1) ?? assert.fail('no mail arrived');
  const setZone = async (timezone: string) => {
    assert.equal((await user.api.put(`/users/${user.id}`, { user: { timezone } })).status, 200);
  };

  beforeEach(async () => {
    // Each test begins at the same time of a later day.
    clock.advance(86_400_000 - ((clock.now() - Date.UTC(2026, 6, 1, 22, 30, 15)) % 86_400_000));
    await platform.container.heartbeat.beat();
    await platform.settle();
  });
  const today = (zone: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone }).format(clock.now());

  const RULE = { name: 'too warm', expression: 'sensor_data_value > 30', inactivity: 60, notify_resolved: true };

  it('distinguish sensors with equal names by the tags that differ, also in a digest', async () => {
    const at = clock.now() / 1000;
    const lines = ['a', 'b', 'c', 'd', 'e'].map((host) => `temperature,host=${host},site=x value=20 ${at - 60}`);
    const sensors = [...(await writeLines(platform, user, lines, 's')).values()];
    const trigger = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value > 30' });
    const id = await buildNotification(user, mailTo(WARD));
    for (const sensor of sensors) {
      await connectTrigger(user, sensor, trigger);
      await connectNotification(user, sensor, trigger, id);
    }
    for (const sensor of sensors) await send(sensor, 31);
    assert.deepEqual(
      subjectsTo(WARD).sort(),
      ['a', 'b', 'c'].map((host) => `too warm on temperature (${host})`),
    );
    assert.match(lastTo(WARD).html, /Chart of temperature \(c\)/);
    await pass(60);
    const { deliveries } = (await user.api.get('/deliveries?sort=DESC')).body;
    const digest = deliveries.find(({ is_digest }: { is_digest: boolean }) => is_digest);
    assert.match(digest.text, /- too warm on temperature \(d\): 31\n- too warm on temperature \(e\): 31/);
  });

  it('say of an inactivity since when no data came, and the last value with its date in the zone of the readers', async () => {
    await setZone('Europe/Amsterdam');
    const alarm = await buildAlarm(user, {
      sensor: { name: 'greenhouse', unit: '°C' },
      trigger: { ...RULE, severity: 'critical' },
      notifications: [mailTo(WARD), mailTo(BOSS, { text: 'sensor $sensor_name' })],
    });
    const day = today('Europe/Amsterdam');
    await send(alarm.sensorId, 31.5);
    assert.equal(lastTo(WARD).subject, 'Critical: too warm on greenhouse');
    await stayQuiet(65);
    const since = `${day}, 00:30:15 +02:00 (Europe/Amsterdam)`;
    const { subject, plain, html } = lastTo(WARD);
    assert.equal(subject, `Critical: No data from greenhouse since ${since}: too warm`);
    assert.match(plain, /^Sensor: {5}greenhouse$/m);
    assert.ok(plain.includes(`\nLast value: 31.5 °C on ${since}\n`), plain);
    assert.match(plain, /^Why: {8}no data for 1 minute$/m);
    assert.ok(html.includes(`<div>31.5 °C</div><div>on ${since}</div>`), html);
    const other = lastTo(BOSS);
    assert.equal(other.subject, subject);
    assert.ok(other.plain.includes('\nsensor greenhouse\n'), other.plain);
    assert.ok(!other.plain.includes('Last value'), 'the plain part is the text of the notification');
    assert.ok(other.html.includes(`<div>31.5 °C</div><div>on ${since}</div>`), other.html);
    await send(alarm.sensorId, 32);
    assert.ok(subjectsTo(WARD).includes('Resolved: Critical: No data from greenhouse: too warm'));
  });

  it('have the last value before an inactivity that the trigger has not evaluated, and say if there is none', async () => {
    const [known, empty] = [await buildSensor(user, { name: 'pond' }), await buildSensor(user, { name: 'well' })];
    await send(known, 7);
    const before = `${today('UTC')}, 22:30:15 UTC`;
    await pass(3_600);
    const trigger = await buildTrigger(user, { name: 'quiet', expression: undefined, inactivity: 60 });
    for (const [sensor, address] of [
      [known, WARD],
      [empty, BOSS],
    ] as const) {
      await connectTrigger(user, sensor, trigger);
      await connectNotification(user, sensor, trigger, await buildNotification(user, mailTo(address)));
    }
    await stayQuiet(59);
    await pass(1);
    assert.equal(lastTo(WARD).subject, `No data from pond since ${before}: quiet`);
    assert.ok(lastTo(WARD).plain.includes(`\nLast value: 7 on ${before}\n`), lastTo(WARD).plain);
    assert.equal(lastTo(BOSS).subject, `No data from well since ${today('UTC')}, 23:30:15 UTC: quiet`);
    assert.match(lastTo(BOSS).plain, /^Last value: none is known$/m);
  });

  it('say of an escalation that it is one, and how long the alert was not acknowledged', async () => {
    const alarm = await buildAlarm(user, {
      sensor: { name: 'cellar' },
      trigger: { name: 'warm', expression: 'sensor_data_value > 30', repeat: 600 },
      notifications: [mailTo(WARD)],
    });
    const boss = await buildNotification(user, mailTo(BOSS));
    await connectNotification(user, alarm.sensorId, alarm.triggerId, boss, 5_400);
    await send(alarm.sensorId, 31);
    await pass(5_402);
    const { subject, plain, html } = lastTo(BOSS);
    assert.equal(subject, 'Escalation, not acknowledged for 1 hour 30 minutes: warm on cellar');
    const remark = 'This is an escalation: the alert was not acknowledged for 1 hour 30 minutes.';
    assert.ok(plain.includes(`\n${remark}\n`), plain);
    assert.ok(html.includes(`>${remark}</p>`), html);
    await pass(1_798);
    await send(alarm.sensorId, 32);
    assert.equal(lastTo(BOSS).subject, 'Escalation, not acknowledged for 2 hours: warm on cellar');
    assert.deepEqual(subjectsTo(WARD), ['warm on cellar', 'warm on cellar']);
  });

  it('say the same in each attempt of an escalation, and in each line of a digest', async () => {
    const trigger = await buildTrigger(user, { name: 'warm', expression: 'sensor_data_value > 30', repeat: 0 });
    const boss = await buildNotification(user, mailTo(BOSS));
    const sensors: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const sensor = await buildSensor(user, { name });
      await connectTrigger(user, sensor, trigger);
      await connectNotification(user, sensor, trigger, boss, 600);
      sensors.push(sensor);
    }
    for (const sensor of sensors) await send(sensor, 31);
    mailbox.refuseNext(3);
    await pass(600);
    assert.deepEqual(subjectsTo(BOSS), []);
    await pass(120);
    const alone = ['a', 'b', 'c'].map((name) => `Escalation, not acknowledged for 10 minutes: warm on ${name}`);
    assert.deepEqual(subjectsTo(BOSS).slice().sort(), ['2 more alerts: warm on d and others', ...alone].sort());
    const digest = mailsTo(BOSS).find(({ subject }) => subject.startsWith('2 more')) ?? assert.fail();
    for (const name of ['d', 'e']) {
      assert.ok(digest.plain.includes(`warm on ${name}: 31, not acknowledged for 10 minutes`), digest.plain);
    }
  });

  it('of one episode to one address refer to the first one, whatever ends it, and so do no others', async () => {
    const trigger = { name: 'too warm', expression: 'sensor_data_value > 30', notify_resolved: true, repeat: 60 };
    const notifications = [mailTo(WARD), mailTo(BOSS)];
    const { sensorId, triggerId } = await buildAlarm(user, { trigger, notifications });
    await send(sensorId, 31);
    await pass(120);
    await send(sensorId, 32);
    await pass(120);
    await send(sensorId, 20);
    await pass(120);
    await send(sensorId, 33);
    assert.equal((await user.api.delete(`/triggers/${triggerId}`)).status, 200);
    await pass(10);
    const headersTo = (address: string, name: string) =>
      mailbox.to(address).map((mail) => new RegExp(`^${name}: (.*?)\\r?$`, 'm').exec(mail)?.[1]);
    for (const address of [WARD, BOSS]) {
      const [first, , , second] = headersTo(address, 'Message-ID');
      assert.ok(first && second);
      const expected = [undefined, first, first, undefined, second];
      assert.deepEqual(headersTo(address, 'References'), expected);
      assert.deepEqual(headersTo(address, 'In-Reply-To'), expected);
    }
  });

  it('say how long the condition held before it fired', async () => {
    const { sensorId } = await buildAlarm(user, {
      trigger: { name: 'warm', expression: 'sensor_data_value > 30', hold: 300 },
      notifications: [mailTo(WARD)],
    });
    await send(sensorId, 31);
    assert.deepEqual(subjectsTo(WARD), []);
    await pass(300);
    assert.match(lastTo(WARD).plain, /^Why: {6}above 30 held for 5 minutes$/m);
    assert.ok(lastTo(WARD).html.includes('<div>held for 5 minutes</div>'));
  });
});
