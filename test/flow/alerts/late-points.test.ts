import assert from 'node:assert/strict';
import { LateReports } from '../../../src/alerts/triggers/late-reports';
import { PacedTexts } from '../../../src/notifications/delivery/paced-texts';
import { InvalidInput } from '../../../src/platform/errors';
import { buildAlarm } from '../../support/alarm';
import { type Fields, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

describe('points of a moment that was evaluated, and older ones', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  const alert = async (trigger: Fields = {}, sensor: Fields = {}) => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      sensor: { name: 'freezer', ...sensor },
      trigger: { name: 'warm', expression: 'sensor_data_value > 8', repeat: 0, notify_resolved: true, ...trigger },
      notifications: [{ destination: receiver.url, text: '{{sensor_data_value}} degrees' }],
    });
    return { sensorId, path: `/sensors/${sensorId}/triggers/${triggerId}` };
  };
  type Alert = Awaited<ReturnType<typeof alert>>;
  const now = () => clock.now() / 1000;
  const send = async ({ sensorId }: Alert, points: Fields[]) => {
    const answer = await user.api.post(`/sensors/${sensorId}/data`, { data: points });
    assert.equal(answer.status, 201);
    await platform.settle();
    return answer.body.data;
  };
  const texts = () => receiver.received.map(({ form }) => `${form.text}${form.state ? ` (${form.state})` : ''}`);
  const record = async ({ path }: Alert) => (await user.api.get(path)).body.trigger;
  const stored = async ({ sensorId }: Alert) => {
    const { body } = await user.api.get(`/sensors/data?sensor_id=${sensorId}`);
    return body.data.map(({ value }: { value: string }) => value);
  };
  const reasons = async ({ path }: Alert) =>
    (await user.api.get(`${path}/decisions`)).body.decisions.map(({ reason }: { reason: string }) => reason);
  /** Late points settle. */
  const passMinutes = async (minutes: number) => {
    clock.advance(minutes * 60_000);
    await platform.container.heartbeat.beat();
    await platform.container.services.lateReports.run();
    await platform.settle();
  };

  it('are evaluated if the value of the moment is another one, by a clock that has seconds', async () => {
    const one = await alert({ expression: 'sensor_data_value == "ALARM"' }, { data_type: 'string' });
    const date = Math.floor(now());
    assert.deepEqual(await send(one, [{ value: 'ok', date }]), { accepted: 1 });
    assert.deepEqual(await send(one, [{ value: 'ALARM', date }]), { accepted: 1 });
    assert.deepEqual(texts(), ['ALARM degrees']);
    assert.deepEqual(await stored(one), ['ALARM']);
    // The upload is repeated.
    assert.deepEqual(await send(one, [{ value: 'ALARM', date }]), { accepted: 1 });
    assert.deepEqual(await reasons(one), ['late', 'fired', 'false']);
    assert.deepEqual((await record(one)).late, { count: 0, since: null, handling: 'ignore' });
    assert.equal((await record(one)).last_sensor_data_value, 'ALARM');
  });

  it('are each evaluated, in their order, if one request has several values of a moment', async () => {
    const one = await alert({ expression: 'sensor_data_value == "ALARM"' }, { data_type: 'string' });
    const date = Math.floor(now());
    const points = ['ok', 'ALARM', 'ALARM', 'ok'].map((value) => ({ value, date }));
    assert.deepEqual(await send(one, points), { accepted: 3 });
    assert.deepEqual(await stored(one), ['ok']);
    assert.deepEqual(texts(), ['ALARM degrees', 'warm on freezer: resolved (resolved)']);
    assert.deepEqual(await reasons(one), ['resolved', 'fired', 'false']);
  });

  it('are counted in the answer and the record if they are older', async () => {
    const one = await alert();
    await send(one, [{ value: 4, date: now() }]);
    const backlog = Array.from({ length: 60 }, (_, index) => ({ value: 12, date: now() - 2 * HOUR + index * 100 }));
    assert.deepEqual(await send(one, backlog), { accepted: 60, not_evaluated: 60 });
    assert.deepEqual((await record(one)).late, { count: 60, since: now(), handling: 'ignore' });
    assert.deepEqual(await send(one, [{ value: 12, date: now() - 3 }]), { accepted: 1, not_evaluated: 1 });
    const sensors = [{ sensor_id: one.sensorId, data: [{ value: 12, date: now() - 4 }] }];
    const { body } = await user.api.post('/sensors/data', { sensors });
    assert.deepEqual(body.data, { accepted: 1, not_evaluated: 1 });
    const lines = await fetch(`${platform.url}/sensors/${one.sensorId}/data`, {
      method: 'POST',
      headers: { 'X-SESSION_ID': user.session, 'Content-Type': 'text/csv' },
      body: `date,value\n${now() - 5},12\n${now() - 6},12\n`,
    });
    assert.deepEqual((await lines.json()).data, { accepted: 2, not_evaluated: 2 });
    await platform.settle();
    assert.deepEqual(await send(one, [{ value: 5, date: now() }]), { accepted: 1 });
    await passMinutes(6);
    assert.deepEqual(texts(), []);
    assert.equal((await record(one)).late.count, 64);
  });

  it('are not counted for a trigger that has evaluated nothing yet, or for a sensor without one', async () => {
    const one = await alert();
    assert.deepEqual(await send(one, [{ value: 5, date: now() - 2 * HOUR }]), { accepted: 1 });
    assert.deepEqual(await reasons(one), ['false']);
    await user.api.delete(one.path);
    await send(one, [{ value: 5, date: now() }]);
    assert.deepEqual(await send(one, [{ value: 5, date: now() - HOUR }]), { accepted: 1 });
  });

  it('are reported once they have settled, once, as an alert that is over, if the trigger says so', async () => {
    const one = await alert({ late: 'report' });
    const begin = now();
    await send(one, [{ value: 4, date: begin }]);
    const backlog = Array.from({ length: 100 }, (_, minute) => ({
      value: minute < 20 || minute > 80 ? 4 : 12,
      date: begin - 2 * HOUR + minute * MINUTE,
    }));
    assert.deepEqual(await send(one, backlog), { accepted: 100, not_evaluated: 100 });
    await passMinutes(4);
    assert.deepEqual(texts(), [], 'it has not settled');
    await passMinutes(2);
    const [text, end] = texts();
    assert.match(
      text ?? '',
      /^12 degrees\nThis alert is over\. Its condition was met from .+ to .+; the data arrived too late/,
    );
    assert.match(end ?? '', /\(resolved\)$/);
    assert.equal(texts().length, 2);
    const { body } = await user.api.get(`${one.path}/firings`);
    assert.deepEqual(
      body.firings.map(({ state, date, ended, reported }: Record<string, unknown>) => [state, date, ended, reported]),
      [['resolved', begin - 2 * HOUR + 20 * MINUTE, begin - 2 * HOUR + 81 * MINUTE, now()]],
    );
    assert.equal((await record(one)).state, 'ok');
    // The same upload again brings nothing new.
    await send(one, backlog);
    await passMinutes(6);
    assert.equal(texts().length, 2);
  });

  it('are not reported again if they were evaluated when they first came', async () => {
    const one = await alert({ late: 'report' });
    const begin = now() - HOUR;
    const points = [4, 12, 12, 4, 4].map((value, minute) => ({ value, date: begin + minute * MINUTE }));
    await send(one, points);
    assert.equal(texts().length, 2, 'fired and ended');
    assert.deepEqual(await send(one, points), { accepted: 5, not_evaluated: 4 });
    await passMinutes(6);
    assert.equal(texts().length, 2);
  });

  it('are not reported while the alert is muted, and are in its history', async () => {
    const one = await alert({ late: 'report' });
    await send(one, [{ value: 4, date: now() }]);
    await send(
      one,
      [12, 4].map((value, minute) => ({ value, date: now() - HOUR + minute * MINUTE })),
    );
    await user.api.put(one.path, { trigger: { muted_until: now() + HOUR } });
    await passMinutes(6);
    assert.deepEqual(texts(), []);
    const { body } = await user.api.get(`${one.path}/firings`);
    assert.deepEqual(
      body.firings.map(({ muted }: { muted: boolean }) => muted),
      [true],
    );
  });

  it('say in last_error why they can never be reported, until others are', async () => {
    const one = await alert({ late: 'report' });
    await send(one, [{ value: 4, date: now() }]);
    await send(one, [{ value: 12, date: now() - HOUR }]);
    clock.advance(6 * 60_000);
    const tooMuch = 'hold more than 32000000 bytes in the windows of the expressions: name fewer of them';
    const backtests = {
      run: () => Promise.reject(InvalidInput.field('sensor_ids', tooMuch)),
    };
    const { database, delivery, shares, logger } = platform.container;
    const outlet = { runner: delivery.runner, newTexts: () => new PacedTexts(shares) };
    await new LateReports(database, backtests, outlet, clock, logger).run();
    assert.match(
      (await record(one)).last_error,
      /^the late points from .+ to .+ are not reported: they hold more than 32000000 bytes in the windows/,
    );
    await send(one, [{ value: 12, date: now() - HOUR }]);
    await passMinutes(6);
    assert.equal((await record(one)).last_error, '');
  });

  it('need a handling that exists', async () => {
    const trigger = { name: 'x', expression: 'sensor_data_value > 8', late: 'often' };
    const { status, body } = await user.api.post('/triggers', { trigger });
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), /late/);
    await upload(user, (await alert()).sensorId, { value: 1 });
  });
});
