import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { buildTrigger, createKey, type Fields, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

describe('versions of triggers', () => {
  const platform = usePlatform();
  const ada = useUser(platform);
  const eve = useUser(platform);

  const versionsOf = async (id: string, query = '') => (await ada.api.get(`/triggers/${id}/versions${query}`)).body;
  const change = async (id: string, trigger: Fields) => (await ada.api.put(`/triggers/${id}`, { trigger })).body;
  const restore = (id: string, version: number | string, body?: Fields) =>
    ada.api.post(`/triggers/${id}/versions/${version}/restore`, body);

  it('are made by each change of what decides or delivers, with who made it', async () => {
    const id = await buildTrigger(ada, { name: 'warm', expression: 'sensor_data_value > 30' });
    assert.equal((await change(id, { expression: 'sensor_data_value > 35', hold: 60 })).trigger.version, 2);
    const { secret } = await createKey(ada, { name: 'night script' });
    const byKey = apiClient(platform.url, { authorization: `Bearer ${secret}` });
    assert.equal((await byKey.put(`/triggers/${id}`, { trigger: { severity: 'critical' } })).status, 200);
    const { versions, total } = await versionsOf(id, '?total=1');
    assert.equal(total, 3);
    assert.deepEqual(
      versions.map(({ version, by, changed, user_id }: Fields) => [version, by, changed, user_id]),
      [
        [3, 'night script', ['severity'], ada.id],
        [2, 'session', ['expression', 'hold'], ada.id],
        [1, 'session', [], ada.id],
      ],
    );
    const {
      id: _,
      version,
      creation_date,
      selected_sensors,
      notification_count,
      has_shadow,
      selector_error,
      group_id,
      ...content
    } = (await ada.api.get(`/triggers/${id}`)).body.trigger;
    assert.deepEqual([versions[0].trigger, version], [content, 3]);
    assert.equal(versions[2].trigger.expression, 'sensor_data_value > 30');
    assert.deepEqual((await versionsOf(id, '?page=1&per_page=2')).versions, [versions[2]]);
  });

  it('are not made by a change that changes nothing', async () => {
    const id = await buildTrigger(ada);
    const { trigger, kept, ended } = await change(id, { name: 'a trigger', hold: 0, selector: null });
    assert.deepEqual([trigger.version, kept, ended], [1, 0, 0]);
    assert.equal((await versionsOf(id)).versions.length, 1);
  });

  it('are restored, whatever parts the rule has had since, as a new version', async () => {
    const id = await buildTrigger(ada, { expression: 'sensor_data_value > 30', resolved_text: 'well', repeat: 60 });
    await change(id, { inactivity: 3600, repeat: null, timezone: 'Europe/Berlin', late: 'report' });
    await change(id, { expression: null, inactivity: 600, name: 'quiet', notify_resolved: true });
    const [third, second, first] = (await versionsOf(id)).versions;
    for (const [version, wanted, number] of [
      [1, first, 4],
      [3, third, 5],
      [2, second, 6],
    ]) {
      const { status, body } = await restore(id, version, version === 1 ? undefined : { episodes: 'keep' });
      assert.deepEqual([status, body.trigger?.version, body.kept, body.ended], [200, number, 0, 0]);
      const [newest] = (await versionsOf(id)).versions;
      assert.deepEqual([newest.version, newest.trigger], [number, wanted.trigger]);
    }
    const [{ changed }] = (await versionsOf(id)).versions;
    assert.deepEqual(changed, ['name', 'expression', 'inactivity', 'notify_resolved']);
    assert.equal((await restore(id, 6)).body.trigger.version, 6);
  });

  it('are restored with their selector', async () => {
    const filter = { metatag_statement_groups: [[{ metatag_name: 'kind', operator: 'equal', value: 'freezer' }]] };
    const id = await buildTrigger(ada, { selector: { filter } });
    await change(id, { selector: null });
    const { body } = await restore(id, 1);
    assert.deepEqual(body.trigger.selector.filter, filter);
  });

  it('name an episode that ended, and end it as an edit does', async () => {
    const { sensorId, triggerId } = await buildAlarm(ada, { trigger: {}, notifications: [] });
    await change(triggerId, { expression: 'sensor_data_value > 20' });
    await upload(ada, sensorId, { value: 25 });
    await platform.settle();
    const { body } = await restore(triggerId, 1);
    assert.deepEqual([body.kept, body.ended], [0, 1]);
    const { firings } = (await ada.api.get(`/firings?trigger_id=${triggerId}`)).body;
    assert.deepEqual([firings[0].trigger_version, firings[0].resolved_by], [2, 'edit']);
  });

  it('stand in firings, decisions and deliveries', async () => {
    const { sensorId, triggerId } = await buildAlarm(ada, {
      trigger: { repeat: 60 },
      notifications: [{ destination: 'http://127.0.0.1:9/' }],
    });
    await upload(ada, sensorId, { value: 20 });
    await platform.settle();
    await change(triggerId, { hold: 0, severity: 'info' });
    await upload(ada, sensorId, { value: 31 });
    await platform.settle();
    const { decisions } = (await ada.api.get(`/sensors/${sensorId}/triggers/${triggerId}/decisions`)).body;
    const { deliveries } = (await ada.api.get(`/deliveries?trigger_id=${triggerId}`)).body;
    const { firings } = (await ada.api.get(`/firings?trigger_id=${triggerId}`)).body;
    const versions = (rows: Fields[]) => rows.map(({ trigger_version }) => trigger_version);
    assert.deepEqual([versions(decisions), versions(deliveries), versions(firings)], [[2, 1], [2], [2]]);
    const { delivery } = (await ada.api.get(`/deliveries/${deliveries[0].id}`)).body;
    assert.equal(delivery.trigger_version, 2);
  });

  it('are 100, and those that a stored firing names', async function () {
    this.timeout(60_000);
    const { sensorId, triggerId } = await buildAlarm(ada, { trigger: { hold: 0 }, notifications: [] });
    await change(triggerId, { repeat: 60 });
    await upload(ada, sensorId, { value: 31 });
    await platform.settle();
    for (let hold = 1; hold <= 103; hold += 1) await change(triggerId, { hold });
    const numbers = async () =>
      (await versionsOf(triggerId, '?per_page=1000')).versions.map(({ version }: Fields) => version);
    const newest = (last: number) => Array.from({ length: 100 }, (_, index) => last - index);
    assert.deepEqual(await numbers(), [...newest(105), 2]);
    await platform.query('DELETE FROM firings WHERE trigger_id = ?', [triggerId]);
    await change(triggerId, { hold: 0 });
    assert.deepEqual(await numbers(), newest(106));
  });

  it('are only their owner’s', async () => {
    const id = await buildTrigger(ada);
    const { api } = eve;
    assert.equal((await api.get(`/triggers/${id}/versions`)).status, 404);
    assert.equal((await api.post(`/triggers/${id}/versions/1/restore`)).status, 404);
    assert.equal((await restore(id, 7)).status, 404);
    assert.equal((await restore(id, 'x')).status, 404);
    assert.equal((await restore(id, 1, { episodes: 'stay' })).status, 400);
    const { secret } = await createKey(ada, { scopes: ['read'] });
    const reader = apiClient(platform.url, { authorization: `Bearer ${secret}` });
    assert.equal((await reader.get(`/triggers/${id}/versions`)).status, 200);
    assert.equal((await reader.post(`/triggers/${id}/versions/1/restore`)).status, 403);
  });

  it('go with their trigger', async () => {
    const id = await buildTrigger(ada);
    await change(id, { hold: 60 });
    assert.equal((await ada.api.delete(`/triggers/${id}`)).status, 200);
    const [row] = await platform.query('SELECT COUNT(*) AS left_over FROM trigger_versions WHERE trigger_id = ?', [id]);
    assert.equal(Number(row?.left_over), 0);
  });
});
