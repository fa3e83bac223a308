import assert from 'node:assert/strict';
import {
  entriesOf,
  exportedZip,
  finishArchives,
  linesOf,
  makeExport,
  makeImport,
  sendArchive,
  writeZip,
} from '../../support/archives';
import {
  buildDashboard,
  buildEnvironment,
  buildGroup,
  buildNotification,
  buildSensor,
  buildService,
  buildTrigger,
  chartOf,
  connectTrigger,
  upload,
} from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { startReceiver } from '../../support/receiver';

const T0 = 1_795_229_500;

describe('an import', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let sensorId: string;
  let zip: Buffer;

  before(async () => {
    sensorId = await buildSensor(user, { name: 'freezer', unit: '°C', data_type: 'float' });
    await upload(user, sensorId, [
      { value: -18.5, date: T0 },
      { value: -12, date: T0 + 60 },
    ]);
    await user.api.put(`/sensors/${sensorId}/metatags`, { metatags: { room: ['cold store'], floor: [1, 2] } });
    await user.api.put(`/sensors/${sensorId}/retention`, { retention: { days: 300 } });
    await user.api.post(`/sensors/${sensorId}/device`, { device: { type: 'probe', uuid: 'x-1' } });
    const service = await buildService(user, 'math_service', sensorId);
    const formula = await user.api.post(`/sensors/${sensorId}/services/${service}/SetExpression`, {
      parameters: [`_${sensorId}_freezer * 2`],
    });
    assert.equal(formula.status, 200, JSON.stringify(formula.body));
    const trigger = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value > -15' });
    await connectTrigger(user, sensorId, trigger);
    const environment = await buildEnvironment(user, { name: 'cellar' });
    await user.api.post(`/environments/${environment}/sensors`, { sensor: { id: sensorId } });
    await buildGroup(user, { name: 'rowers' });
    await buildDashboard(user, { name: 'wall', tiles: [chartOf(sensorId)] });
    await buildNotification(user, {
      ...{ type: 'url', name: 'hook', destination: 'https://example.org/x' },
      headers: { Authorization: 'Bearer very-secret' },
    });
    await platform.settle();
    zip = await exportedZip(platform, user, {
      secrets: { password: user.password, passphrase: 'correct horse battery' },
    });
  });

  it('brings everything into another account, with new ids', async () => {
    const other = await platform.user();
    const done = await makeImport(platform, other, zip, 'correct horse battery');
    assert.deepEqual([done.state, done.error], ['done', '']);
    const newId = done.ids.sensors[sensorId];
    assert.ok(newId && newId !== sensorId);
    const { body } = await other.api.get(`/sensors/${newId}/data?sort=asc`);
    assert.deepEqual(
      body.data.map(({ date, value }: { date: number; value: string }) => [date, value]),
      [
        [T0, '-18.5'],
        [T0 + 60, '-12'],
      ],
    );
    assert.deepEqual((await other.api.get(`/sensors/${newId}/metatags`)).body.metatags, {
      floor: [1, 2],
      room: ['cold store'],
    });
    assert.equal((await other.api.get(`/sensors/${newId}/retention`)).body.retention.days, 300);
    const triggers = (await other.api.get(`/sensors/${newId}/triggers`)).body.triggers;
    assert.deepEqual(
      triggers.map(({ name }: { name: string }) => name),
      ['too warm'],
    );
    const { services } = (await other.api.get(`/sensors/${newId}/services`)).body;
    const formula = await other.api.get(`/sensors/${newId}/services/${services[0].id}/GetExpression`);
    assert.equal(formula.body.result, `_${newId}_freezer * 2`, JSON.stringify(done.left_out));
    assert.deepEqual(
      [done.sensors, done.services, done.environments, done.groups, done.dashboards, done.points],
      [{ made: 2, kept: 0 }, { made: 1, kept: 0 }, ...[1, 1, 1].map((made) => ({ made, kept: 0 })), done.points],
    );
    const again = await entriesOf(await exportedZip(platform, other));
    const [dashboard] = linesOf(again, 'dashboards.ndjson');
    assert.equal(dashboard.dashboard.tiles[0].sensors[0], newId);
    assert.equal(linesOf(again, 'environments.ndjson')[0].sensors[0].id, newId);
    assert.equal((await other.api.get('/firings')).body.firings.length, 0);
    const rows = await platform.query('SELECT options FROM archives WHERE owner_id = ?', [other.id]);
    assert.ok(
      rows.every(({ options }) => options === '{}'),
      'the passphrase stays after the import',
    );
  });

  it('of the same file adds nothing the second time, into the first account as well', async () => {
    const other = await platform.user();
    await makeImport(platform, other, zip);
    for (const someone of [other, user]) {
      const before = await entriesOf(await exportedZip(platform, someone));
      const second = await makeImport(platform, someone, zip);
      assert.deepEqual([second.state, second.error], ['done', '']);
      const made = ['sensors', 'services', 'environments', 'groups', 'dashboards', 'rules'].map(
        (kind) => second[kind].made,
      );
      assert.deepEqual(made, [0, 0, 0, 0, 0, 0]);
      const after = await entriesOf(await exportedZip(platform, someone));
      for (const [name, text] of before) if (!/manifest|audit/.test(name)) assert.equal(after.get(name), text, name);
    }
  });

  it('of old points fires no rule, not even one of the account that was there', async () => {
    const receiver = await startReceiver();
    const other = await platform.user();
    const known = await buildSensor(other, { name: 'freezer' });
    const trigger = await buildTrigger(other, { name: 'any', expression: 'sensor_data_value > -1000' });
    await connectTrigger(other, known, trigger);
    const selecting = await buildTrigger(other, {
      ...{ name: 'all', expression: 'sensor_data_value > -1000' },
      selector: { all: true },
    });
    const done = await makeImport(platform, other, zip);
    assert.equal(done.ids.sensors[sensorId], known);
    await platform.settle();
    const { firings } = (await other.api.get('/firings')).body;
    assert.deepEqual(firings, []);
    assert.equal((await other.api.get(`/sensors/${known}/data`)).body.data.length, 2);
    await upload(other, known, { value: 5 });
    await platform.settle();
    const fired = (await other.api.get('/firings')).body.firings;
    assert.ok(fired.some(({ trigger_id: id }: { trigger_id: string }) => id === trigger));
    assert.ok(selecting);
    await receiver.close();
  });

  it('with secrets needs the right passphrase; without one it leaves them out and says so', async () => {
    const other = await platform.user();
    const wrong = await makeImport(platform, other, zip, 'another passphrase');
    assert.deepEqual([wrong.state, wrong.entry, wrong.error], ['failed', 'secrets.enc', 'the passphrase is wrong']);
    assert.equal((await other.api.get('/sensors')).body.total, 0);
    const without = await makeImport(platform, other, zip);
    assert.ok(without.left_out.some(({ what }: { what: string }) => what === 'secrets of the notification hook'));
    const { notifications } = (await other.api.get('/notifications')).body;
    assert.deepEqual([notifications[0].enabled, notifications[0].headers], [false, { Authorization: '…' }]);
    const third = await platform.user();
    await makeImport(platform, third, zip, 'correct horse battery');
    const secrets = { password: third.password, passphrase: 'another long one' };
    assert.equal((await makeExport(platform, third, { secrets })).state, 'done');
    assert.equal((await third.api.get('/notifications')).body.notifications[0].enabled, true);
  });

  it('goes on where a worker was killed, and can be cancelled', async () => {
    const [whole, killed] = [await platform.user(), await platform.user()];
    await makeImport(platform, whole, zip);
    const sent = await sendArchive(platform, killed, zip);
    const id = Number(sent.body.import.id);
    const { archiveJobs } = platform.container;
    // Stopped after each step: the next run is as if of another worker.
    const { isStopped } = archiveJobs as unknown as { isStopped: boolean };
    assert.equal(isStopped, false);
    for (let round = 0; round < 60; round += 1) {
      const running = archiveJobs.run(id);
      await new Promise((resolve) => setTimeout(resolve, 5 * round));
      archiveJobs.stop();
      const outcome = await running;
      Object.assign(archiveJobs, { isStopped: false });
      if (outcome === 'done') break;
    }
    await finishArchives(platform);
    assert.equal((await killed.api.get(`/imports/${id}`)).body.import.state, 'done');
    const [expected, found] = await Promise.all([whole, killed].map(async (one) => exportedZip(platform, one)));
    const counts = async (one: Buffer) =>
      [...(await entriesOf(one))].map(([name, text]) => [name.replace(/\d+/, ''), text.split('\n').length]);
    const withoutAudit = (list: (string | number)[][]) => list.filter(([name]) => name !== 'audit.ndjson');
    assert.deepEqual(withoutAudit(await counts(found as Buffer)), withoutAudit(await counts(expected as Buffer)));
    const again = await sendArchive(platform, killed, zip);
    const cancelled = again.body.import.id;
    assert.equal((await sendArchive(platform, killed, zip)).status, 409);
    assert.equal((await killed.api.delete(`/imports/${cancelled}`)).status, 200);
    assert.equal(await archiveJobs.run(Number(cancelled)), 'nothing-waits');
  });

  it('that would exceed a limit of the account is refused before anything is made', async () => {
    const full = await platform.user();
    for (let n = 0; n < 99; n += 1) await buildDashboard(full, { name: n === 0 ? 'wall' : `board ${n}`, tiles: [] });
    assert.equal((await makeImport(platform, full, zip)).state, 'done', 'the one of the same name is kept');
    const more = await platform.user();
    for (const name of ['one', 'two']) await buildDashboard(more, { name, tiles: [] });
    const target = await platform.user();
    for (let n = 0; n < 99; n += 1) await buildDashboard(target, { name: `board ${n}`, tiles: [] });
    await upload(more, await buildSensor(more, { name: 'new' }), { value: 1 });
    const refused = await makeImport(platform, target, await exportedZip(platform, more));
    assert.deepEqual(
      [refused.state, refused.entry, refused.error],
      ['failed', 'dashboards.ndjson', 'you would have more than 100 dashboards'],
    );
    assert.deepEqual((await target.api.get('/sensors')).body.sensors, []);
  });

  it('needs a file of at most the allowed size', async () => {
    const other = await platform.user();
    const nothing = await sendArchive(platform, other, Buffer.alloc(0));
    assert.equal(nothing.status, 400);
    const text = await sendArchive(platform, other, Buffer.from('{"sensors": []}'));
    assert.deepEqual([text.status, text.body.error], [400, 'the body must be the zip file of an export']);
    const noZip = await makeImport(platform, other, Buffer.from('PK, and no zip, far too short to be one'));
    assert.deepEqual([noZip.state, /no valid zip/.test(noZip.error)], ['failed', true]);
    const empty = await makeImport(platform, other, await writeZip({}));
    assert.deepEqual([empty.state, empty.entry], ['failed', 'manifest.json']);
  });
});
