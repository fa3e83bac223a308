import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildMute, type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';

const WARM = { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true };

describe('the episodes of alerts', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUser(platform);

  interface Alert {
    sensorId: string;
    triggerId: string;
    path: string;
  }
  const alert = async (trigger: Fields = {}): Promise<Alert> => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { name: 'cellar' },
      trigger: { ...WARM, ...trigger },
      notifications: [{ destination: receiver.url, text: '$sensor_data_value degrees' }],
    });
    receiver.received.length = 0;
    return { sensorId, triggerId, path: `/sensors/${sensorId}/triggers/${triggerId}` };
  };
  /** Uploads values, one every so many seconds, each handled before the next. */
  const send = async ({ sensorId }: Alert, values: number[], everyS = 10) => {
    for (const value of values) {
      clock.advance(everyS * 1000);
      await platform.container.heartbeat.beat();
      await upload(user, sensorId, { value, date: clock.now() / 1000 });
      await platform.settle();
    }
  };
  const texts = () => receiver.received.map(({ form }) => `${form.text}${form.state ? ` (${form.state})` : ''}`);
  const record = async ({ path }: Alert) => (await user.api.get(path)).body.trigger;
  const firings = async ({ triggerId }: Alert, query = '') =>
    (await user.api.get(`/firings?trigger_id=${triggerId}${query}`)).body.firings;
  const reasons = async ({ path }: Alert) =>
    (await user.api.get(`${path}/decisions`)).body.decisions.map(({ reason }: { reason: string }) => reason);

  it('last from a firing until the expression is false, and say so', async () => {
    const one = await alert();
    assert.deepEqual([(await record(one)).state, (await record(one)).muted_until], ['ok', null]);
    await send(one, [20, 31]);
    const firedAt = clock.now() / 1000;
    assert.deepEqual([(await record(one)).state, (await record(one)).state_since], ['firing', firedAt]);
    const [lasting] = await firings(one, '&state=firing');
    assert.deepEqual(
      [lasting.ended, lasting.resolved_by, lasting.acknowledged, lasting.muted, lasting.episode, lasting.state],
      [null, null, null, false, lasting.id, 'firing'],
    );
    await send(one, [32, 33, 34, 35, 36, 37]);
    for (const state of ['', '&state=firing']) {
      const counts = [await firings(one, state), await firings(one, `${state}&repeats=false`)].map(
        ({ length }) => length,
      );
      assert.deepEqual(counts, [2, 1], 'a repeat is no alert of its own');
    }
    await send(one, [25]);
    assert.deepEqual(texts(), ['31 degrees', '37 degrees', 'warm on cellar: resolved (resolved)']);
    const [first, second] = await firings(one);
    assert.deepEqual([second.episode, second.ended, second.resolved_by], [first.id, clock.now() / 1000, 'data']);
    assert.deepEqual([(await record(one)).state, (await firings(one, '&state=firing')).length], ['ok', 0]);
    assert.equal((await firings(one, '&state=resolved&sort=desc')).length, 2);
    assert.deepEqual((await reasons(one)).slice(0, 3), ['resolved', 'fired', 'once-a-minute']);
    // Signed and described like every delivery; nothing more for what goes on being false.
    assert.deepEqual(Object.keys(receiver.received[2]?.form ?? {}), ['sensor_id', 'trigger_id', 'text', 'state']);
    await send(one, [24]);
    assert.equal(receiver.received.length, 3);
  });

  it('begin again with what is true within the minute, and fire after it', async () => {
    const one = await alert({ repeat: 0, resolved_text: '$trigger_name: was {{sensor_data_value}}' });
    await send(one, [31, 20, 32]);
    assert.equal((await record(one)).state, 'pending');
    await send(one, [33, 34, 35, 36, 37, 38]);
    assert.deepEqual(texts(), ['31 degrees', 'warm: was 31 (resolved)', '36 degrees']);
    await send(one, [39, 39, 39, 39, 39, 39, 39]);
    assert.equal((await reasons(one))[0], 'held-back');
    assert.equal(receiver.received.length, 3);
  });

  it('hold, repeat and begin again by one upload as by many', async () => {
    const one = await alert({ hold: 60, repeat: 120 });
    const at = (seconds: number) => clock.now() / 1000 + seconds;
    const values = [31, 32, 20, 33, 34, 35, 36, 20].map((value, index) => ({ value, date: at(index * 30 - 300) }));
    await upload(user, one.sensorId, values);
    await platform.settle();
    assert.deepEqual(texts(), ['35 degrees', 'warm on cellar: resolved (resolved)']);
    await send(one, [31, 31, 31, 31, 31, 31, 31, 31], 30);
    assert.deepEqual(texts().slice(2), ['31 degrees', '31 degrees']);
  });

  it('end when data comes after an inactivity', async () => {
    const one = await alert({ expression: undefined, inactivity: 60, repeat: 90 });
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        await platform.container.heartbeat.beat();
      }
      await platform.settle();
    };
    await pass(60);
    await pass(89);
    assert.equal(receiver.received.length, 1);
    await pass(1);
    assert.equal(receiver.received.length, 2);
    await send(one, [1], 1);
    assert.deepEqual(texts()[2], 'warm on cellar: resolved (resolved)');
    const [first, second] = await firings(one);
    assert.deepEqual([first.resolved_by, second.episode, (await record(one)).state], ['data', first.id, 'ok']);
    await pass(59);
    assert.equal(receiver.received.length, 3);
    await user.api.delete(one.path);
  });

  it('are acknowledged, which keeps them from firing again, and resolved by hand', async () => {
    const one = await alert();
    await send(one, [31]);
    const [{ id }] = await firings(one);
    const known = await user.api.post(`/firings/${id}/acknowledge`, { note: 'on my way' });
    assert.equal(known.status, 200);
    const by = { user_id: user.id, username: user.username, person: null };
    const acknowledged = { date: clock.now() / 1000, ...by, note: 'on my way' };
    assert.deepEqual(known.body.firing.acknowledged, acknowledged);
    for (const state of ['', '&state=firing']) {
      assert.equal((await firings(one, `${state}&acknowledged=1`)).length, 1);
      assert.equal((await firings(one, `${state}&acknowledged=0`)).length, 0);
    }
    assert.equal((await user.api.post(`/firings/${id}/acknowledge`)).status, 200);
    await send(one, [32, 33], 60);
    assert.deepEqual((await user.api.get(`/firings/${id}`)).body.firing.acknowledged, acknowledged);
    assert.deepEqual([texts(), (await reasons(one))[0]], [['31 degrees'], 'acknowledged']);

    const resolved = await user.api.post(`/firings/${id}/resolve`);
    assert.deepEqual([resolved.status, resolved.body.firing.resolved_by], [200, 'user']);
    await platform.settle();
    assert.equal((await record(one)).state, 'ok');
    for (const act of ['resolve', 'acknowledge'])
      assert.equal((await user.api.post(`/firings/${id}/${act}`)).status, 409);
    await send(one, [34, 20], 60);
    assert.deepEqual(texts().slice(1), [
      'warm on cellar: resolved (resolved)',
      '34 degrees',
      'warm on cellar: resolved (resolved)',
    ]);
  });

  it('end once, however many try to end them at the same time', async () => {
    const one = await alert();
    await send(one, [31]);
    const [{ id }] = await firings(one);
    const ends = Array.from({ length: 6 }, () => user.api.post(`/firings/${id}/resolve`));
    const acknowledged = user.api.post(`/firings/${id}/acknowledge`);
    const pass = send(one, [20]);
    const statuses = (await Promise.all(ends)).map(({ status }) => status);
    assert.ok([200, 409].includes((await acknowledged).status));
    await pass;
    await platform.settle();
    const { resolved_by } = (await firings(one))[0];
    assert.equal(statuses.filter((status) => status === 200).length, resolved_by === 'user' ? 1 : 0, `${statuses}`);
    assert.deepEqual(texts(), ['31 degrees', 'warm on cellar: resolved (resolved)']);
  });

  it('are recorded and not delivered while they are muted', async () => {
    const one = await alert();
    const { body } = await user.api.put(one.path, { trigger: { muted_until: clock.now() / 1000 + 100 } });
    assert.equal(body.trigger.muted_until, clock.now() / 1000 + 100);
    await send(one, [31, 20], 40);
    assert.deepEqual((await reasons(one)).slice(0, 2), ['resolved', 'muted']);
    await send(one, [32], 70);
    assert.deepEqual(texts(), ['32 degrees']);
    await buildMute(user, { sensors: [one.sensorId], start: clock.now() / 1000, end: clock.now() / 1000 + 1_000 });
    await send(one, [33, 20], 60);
    assert.deepEqual(texts(), ['32 degrees']);
    const waiting = 1_000 - 2 * 60;
    clock.advance(waiting * 1000 - 1);
    await platform.settle();
    assert.deepEqual(texts(), ['32 degrees']);
    clock.advance(1);
    await platform.settle();
    assert.deepEqual(texts(), ['32 degrees', 'warm on cellar: resolved (resolved)']);
    const recorded = await firings(one);
    assert.deepEqual(
      recorded.map(({ muted }: { muted: boolean }) => muted),
      [true, false, true],
    );
    assert.equal((await user.api.put(one.path, { trigger: { muted_until: null } })).body.trigger.muted_until, null);
  });

  it('end with a delivery when what they watch is edited, and without one where nobody asked for it', async () => {
    const one = await alert();
    const endsBy = async (edit: () => Promise<{ status: number }>) => {
      await send(one, [31], 60);
      const [newest] = await firings(one, '&sort=DESC&per_page=1');
      assert.equal(newest.state, 'firing');
      assert.equal((await edit()).status, 200);
      assert.equal((await user.api.get(`/firings/${newest.id}`)).body.firing.resolved_by, 'edit');
    };
    const edit = (trigger: Fields) => () => user.api.put(`/triggers/${one.triggerId}`, { trigger });
    const ends = () => receiver.received.filter(({ form }) => form.state === 'resolved').length;
    await endsBy(edit({ expression: 'sensor_data_value > 25' }));
    await endsBy(edit({ hold: 1 }));
    await platform.settle();
    assert.equal(ends(), 2);
    await edit({ hold: 0, notify_resolved: false })();
    assert.equal(
      (await user.api.put(`/triggers/${one.triggerId}`, { trigger: { name: 'hot', repeat: 60 } })).status,
      200,
    );
    await endsBy(() => user.api.post(`${one.path}/active`, { active: false }));
    assert.equal((await record(one)).state, 'ok');
    await user.api.post(`${one.path}/active`, { active: true });
    await endsBy(() => user.api.delete(one.path));
    await platform.settle();
    assert.equal(ends(), 2);
    const ofTrigger = await firings(one);
    assert.equal((await user.api.delete(`/triggers/${one.triggerId}`)).status, 200);
    assert.equal((await user.api.get(`/firings/${ofTrigger[0].id}`)).status, 404);
    assert.equal((await firings(one)).length, 0);
  });

  it('say that they are over only after the firing has been delivered or given up', async () => {
    const one = await alert();
    receiver.responses.push(500, 500, 410);
    await send(one, [31, 20], 1);
    assert.deepEqual(texts(), ['31 degrees']);
    clock.advance(10_000);
    await platform.settle();
    assert.deepEqual(texts(), ['31 degrees', '31 degrees']);
    clock.advance(60_000);
    await platform.settle();
    assert.deepEqual(texts().slice(2), ['31 degrees', 'warm on cellar: resolved (resolved)']);
    const { body } = await user.api.get('/deliveries?per_page=1000');
    assert.deepEqual(
      body.deliveries.slice(-2).map(({ status }: { status: string }) => status),
      ['failed', 'delivered'],
    );
  });
});
