import assert from 'node:assert/strict';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
} from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { sentDuring } from '../../support/sent-statements';

describe('triggers', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const stranger = useUser(platform);

  const make = async (trigger: Record<string, unknown>) => {
    const response = await user.api.post('/triggers', { trigger: { name: 'hot', ...trigger } });
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response.body.trigger;
  };

  it('are created with an expression, and the response has the whole record', async () => {
    const response = await user.api.post('/triggers', {
      trigger: { name: 'hot', expression: 'sensor_data_value > 30' },
    });
    assert.equal(response.status, 201);
    const { id, creation_date, ...rest } = response.body.trigger;
    assert.deepEqual(rest, {
      ...{ name: 'hot', expression: 'sensor_data_value > 30', inactivity: null },
      ...{
        hold: 0,
        repeat: null,
        resolve_expression: null,
        keep_firing_for: 0,
        notify_resolved: false,
        resolved_text: '',
        timezone: 'UTC',
        severity: 'warning',
        late: 'ignore',
        version: 1,
      },
      ...{
        selector: null,
        selected_sensors: null,
        selector_error: '',
        notification_count: 0,
        depends_on: null,
        group_id: null,
      },
      has_shadow: false,
    });
    assert.match(id, /^\d+$/);
    assert.ok(Math.abs(creation_date - Date.now() / 1000) < 60);
    assert.equal(response.headers.get('location'), `${platform.url}/triggers/${id}`);
    assert.deepEqual((await user.api.get(`/triggers/${id}`)).body, response.body);
  });

  it('say how many notifications they have, on all their sensors or on one', async () => {
    const [both, single, none] = [await buildTrigger(user), await buildTrigger(user), await buildTrigger(user)];
    const sensors = [await buildSensor(user), await buildSensor(user)];
    const [first, second] = [await buildNotification(user), await buildNotification(user)];
    for (const sensor of sensors) {
      for (const trigger of [both, single]) {
        await connectTrigger(user, sensor, trigger);
        await connectNotification(user, sensor, trigger, second);
      }
    }
    const whole = [first, second].map((id) => ({ notification: { id } }));
    assert.equal((await user.api.post(`/triggers/${both}/notifications`, { notifications: whole })).status, 201);
    const counts = async () => {
      const { triggers } = (await user.api.get('/triggers?per_page=1000')).body;
      const listed = new Map(triggers.map((one: { id: string }) => [one.id, one]));
      for (const id of [both, single, none])
        assert.deepEqual((await user.api.get(`/triggers/${id}`)).body.trigger, listed.get(id));
      return [both, single, none].map((id) => Object(listed.get(id)).notification_count);
    };
    assert.deepEqual(await counts(), [2, 1, 0]);
    const renamed = await user.api.put(`/triggers/${both}`, { trigger: { name: 'warm' } });
    assert.equal(renamed.body.trigger.notification_count, 2);
    assert.equal((await user.api.delete(`/notifications/${second}`)).status, 200);
    assert.deepEqual(await counts(), [1, 0, 0]);
  });

  it('count the notifications of a page of them with one statement', async () => {
    for (let at = 0; at < 3; at += 1) await buildTrigger(user);
    const sent = await sentDuring(() => user.api.get('/triggers'));
    assert.equal(sent.filter((sql) => sql.includes('FROM trigger_notifications')).length, 1);
  });

  it('may watch for inactivity, with or without an expression', async () => {
    assert.deepEqual((await make({ inactivity: '60' })).inactivity, 60);
    const both = await make({ inactivity: 3600, expression: 'sensor_data_value > 1' });
    assert.deepEqual([both.inactivity, both.expression], [3600, 'sensor_data_value > 1']);
    const neutral = await make({ inactivity: 0, expression: 'sensor_data_value > 1' });
    assert.equal(neutral.inactivity, null);
    assert.equal((await make({ inactivity: 60, expression: '' })).expression, null);
  });

  it('take a time zone and a severity, null for the default, and refuse unknown ones by name', async () => {
    const fields = { timezone: 'America/New_York', severity: 'critical' };
    const trigger = await make({ expression: 'hour() > 5', ...fields });
    assert.deepEqual({ ...trigger, ...fields }, trigger);
    const put = async (changes: object) => (await user.api.put(`/triggers/${trigger.id}`, { trigger: changes })).body;
    assert.deepEqual((await put({ name: 'hot' })).trigger, trigger);
    assert.deepEqual((await put({ severity: 'Info' })).trigger, { ...trigger, severity: 'info', version: 2 });
    const reset = (await put({ timezone: null, severity: null })).trigger;
    assert.deepEqual(reset, { ...trigger, timezone: 'UTC', severity: 'warning', version: 3 });
    const byNull = await make({ inactivity: 60, timezone: null, severity: null });
    assert.deepEqual([byNull.timezone, byNull.severity], ['UTC', 'warning']);
    const wrong = {
      timezone: ['Mars/Olympus', '+02:00', 'CEST!', 'x'.repeat(65), '../etc', 7, {}],
      severity: ['high', 'x'.repeat(300), 1, ['info'], {}],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const name = [`trigger.${field}`];
        const posted = await user.api.post('/triggers', { trigger: { name: 'x', inactivity: 60, [field]: value } });
        assert.deepEqual([posted.status, Object.keys(posted.body.fields ?? {})], [400, name], `${field}: ${value}`);
        assert.deepEqual(Object.keys((await put({ [field]: value, name: 'no' })).fields ?? {}), name);
      }
    }
    assert.deepEqual((await user.api.get(`/triggers/${trigger.id}`)).body.trigger, reset);
  });

  it('take how long they hold, how often they repeat, and whether and how they say that they are over', async () => {
    const end = { resolve_expression: 'sensor_data_value < 20', keep_firing_for: 600 };
    const fields = { hold: 120, repeat: 3600, ...end, notify_resolved: true, resolved_text: 'over' };
    const trigger = await make({ expression: 'true', ...fields, hold: '120' });
    assert.deepEqual({ ...trigger, ...fields }, trigger);
    const put = async (changes: object) => (await user.api.put(`/triggers/${trigger.id}`, { trigger: changes })).body;
    assert.deepEqual((await put({ name: 'hot' })).trigger, trigger);
    assert.deepEqual((await put(trigger)).trigger, trigger);
    const noEnd = { resolve_expression: null, keep_firing_for: null };
    const reset = (await put({ hold: null, repeat: null, ...noEnd, notify_resolved: 0, resolved_text: null })).trigger;
    const usual = { resolve_expression: null, keep_firing_for: 0, notify_resolved: false, resolved_text: '' };
    assert.deepEqual(reset, { ...trigger, repeat: null, ...usual, version: 2 });
    assert.equal((await put({ hold: 0, repeat: 0 })).trigger.repeat, 0);
    const wrong = {
      hold: [-1, 0.5, 86_401, 'long'],
      repeat: [-1, 59, 60.5, 1, 2 ** 31],
      keep_firing_for: [-1, 0.5, 86_401, 'long'],
      resolve_expression: ['sensor_data_value <', 'sensor_data > 1'],
      resolved_text: ['x'.repeat(10_001)],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const { status, body } = await user.api.post('/triggers', {
          trigger: { name: 'x', expression: 'true', [field]: value },
        });
        assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [`trigger.${field}`]], `${field}: ${value}`);
        assert.ok((await put({ [field]: value })).fields, `${field}: ${value}`);
      }
    }
  });

  it('are refused without a rule, without a name, and with less than a minute of inactivity', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ name: 'x' }, 'trigger.expression'],
      [{ name: 'x', inactivity: 0 }, 'trigger.expression'],
      [{ name: 'x', inactivity: 59 }, 'trigger.inactivity'],
      [{ name: 'x', inactivity: -60 }, 'trigger.inactivity'],
      [{ name: 'x', inactivity: 60.5 }, 'trigger.inactivity'],
      [{ name: 'x', inactivity: 'soon' }, 'trigger.inactivity'],
      [{ expression: 'true' }, 'trigger.name'],
      [{ name: 'x'.repeat(256), expression: 'true' }, 'trigger.name'],
    ];
    for (const [trigger, field] of cases) {
      const response = await user.api.post('/triggers', { trigger });
      assert.equal(response.status, 400, JSON.stringify(trigger));
      assert.ok(field in response.body.fields, `${JSON.stringify(trigger)}: ${JSON.stringify(response.body)}`);
    }
  });

  it('are refused with an invalid expression, with the position of the error', async () => {
    for (const expression of ['sensor_data_value >', 'temperature > 3', 'x'.repeat(2001), '1 = 2', '"a']) {
      const response = await user.api.post('/triggers', { trigger: { name: 'x', expression } });
      assert.equal(response.status, 400);
      assert.match(response.body.fields['trigger.expression'], /position \d+/);
      assert.match(response.body.error, /position \d+/);
    }
  });

  it('change only the given fields', async () => {
    const { id } = await make({ expression: 'sensor_data_value > 30', inactivity: 60 });
    const renamed = await user.api.put(`/triggers/${id}`, {
      trigger: { name: 'warm', expression: '', inactivity: null },
    });
    assert.equal(renamed.status, 200);
    assert.equal(renamed.body.trigger.name, 'warm');
    assert.equal(renamed.body.trigger.expression, 'sensor_data_value > 30');
    assert.equal(renamed.body.trigger.inactivity, 60);
    const unchanged = await user.api.put(`/triggers/${id}`, {
      trigger: { expression: 'sensor_data_value > 31', inactivity: 0 },
    });
    assert.deepEqual(
      [unchanged.body.trigger.expression, unchanged.body.trigger.inactivity],
      ['sensor_data_value > 31', 60],
    );
    const whole = { ...renamed.body.trigger, inactivity: 120, version: 4 };
    assert.deepEqual((await user.api.put(`/triggers/${id}.json`, { trigger: whole })).body.trigger, whole);
    assert.equal((await user.api.put(`/triggers/${id}`, { trigger: { expression: '1 +' } })).status, 400);
    assert.deepEqual((await user.api.get(`/triggers/${id}`)).body.trigger, whole);
  });

  it('lose their duration of inactivity by a 0 without an expression, unless nothing else is left', async () => {
    const { id } = await make({ expression: 'sensor_data_value > 30', inactivity: 60 });
    const response = await user.api.put(`/triggers/${id}`, { trigger: { inactivity: 0 } });
    assert.deepEqual([response.status, response.body.trigger.inactivity], [200, null]);
    assert.equal(response.body.trigger.expression, 'sensor_data_value > 30');
    const inactivityOnly = await make({ inactivity: 60 });
    const refused = await user.api.put(`/triggers/${inactivityOnly.id}`, {
      trigger: { expression: '', inactivity: 0 },
    });
    assert.equal(refused.status, 400);
    assert.match(
      refused.body.fields['trigger.inactivity'],
      /cannot be taken away by 0, as the trigger has no expression/,
    );
    assert.deepEqual((await user.api.get(`/triggers/${inactivityOnly.id}`)).body.trigger, inactivityOnly);
  });

  it('lose their expression by null with an inactivity, while null alone and an empty text mean not given', async () => {
    const { id } = await make({ expression: 'sensor_data_value > 30', inactivity: 60, hold: 120 });
    const change = async (trigger: object) => (await user.api.put(`/triggers/${id}`, { trigger })).body.trigger;
    for (const neutral of [
      { expression: null },
      { expression: '', inactivity: 60 },
      { expression: null, inactivity: 0 },
    ]) {
      assert.equal((await change(neutral)).expression, 'sensor_data_value > 30', JSON.stringify(neutral));
    }
    const refused = await user.api.put(`/triggers/${id}`, { trigger: { expression: null, inactivity: 59 } });
    assert.deepEqual([refused.status, 'trigger.inactivity' in refused.body.fields], [400, true]);
    const without = await change({ expression: null, inactivity: 60 });
    assert.deepEqual([without.expression, without.inactivity], [null, 60]);
    assert.deepEqual(await change({ ...without, name: 'quiet' }), { ...without, name: 'quiet', version: 4 });
    assert.equal((await change({ expression: 'sensor_data_value > 1' })).expression, 'sensor_data_value > 1');
  });

  it('are listed page by page in order of id, only for their owner', async () => {
    const lister = await platform.user();
    for (const name of ['a', 'b', 'c']) {
      await buildTrigger(lister, { name, expression: 'sensor_data_value > 0' });
    }
    const names = (body: { triggers: { name: string }[] }) => body.triggers.map((trigger) => trigger.name);
    const all = await lister.api.get('/triggers');
    assert.deepEqual(names(all.body), ['a', 'b', 'c']);
    assert.equal('total' in all.body, false);
    const page = await lister.api.get('/triggers?page=1&per_page=2&total=1');
    assert.deepEqual([names(page.body), page.body.total], [['c'], 3]);
    assert.equal((await lister.api.get('/triggers?page=-1')).status, 400);
  });

  it('can be deleted', async () => {
    const { id } = await make({ expression: 'sensor_data_value > 30' });
    const response = await user.api.delete(`/triggers/${id}`);
    assert.deepEqual([response.status, response.body], [200, {}]);
    assert.equal((await user.api.get(`/triggers/${id}`)).status, 404);
  });

  it('are invisible to other users', async () => {
    const { id } = await make({ expression: 'sensor_data_value > 30' });
    assert.equal((await stranger.api.get(`/triggers/${id}`)).status, 404);
    assert.equal((await stranger.api.put(`/triggers/${id}`, { trigger: { name: 'mine' } })).status, 404);
    assert.equal((await stranger.api.delete(`/triggers/${id}`)).status, 404);
    assert.deepEqual((await stranger.api.get('/triggers')).body, { triggers: [] });
    assert.equal((await platform.anonymous.get('/triggers')).status, 401);
    assert.equal((await user.api.get('/triggers/abc')).status, 404);
  });
});
