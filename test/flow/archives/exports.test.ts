import assert from 'node:assert/strict';
import { createDecipheriv, scryptSync } from 'node:crypto';
import { QUEUE_NAMES } from '../../../jobs/queues';
import { downloadFile, entriesOf, exportedZip, finishArchives, linesOf, makeExport } from '../../support/archives';
import {
  buildDashboard,
  buildEnvironment,
  buildGroup,
  buildNotification,
  buildSensor,
  buildTrigger,
  chartOf,
  connectTrigger,
  createKey,
  upload,
} from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { until } from '../../support/until';

const T0 = 1_795_229_500;
const ALWAYS = [
  ...['README.txt', 'manifest.json', 'sensors.ndjson', 'account.json', 'rules.yaml', 'groups.ndjson'],
  ...['environments.ndjson', 'dashboards.ndjson', 'audit.ndjson'],
];

describe('an export of everything', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let sensorId: string;

  const filled = async (someone: TestUser) => {
    const id = await buildSensor(someone, { name: 'freezer', unit: '°C' });
    await upload(someone, id, [
      { value: -18.5, date: T0 },
      { value: 'text "quoted"\nand lines', date: T0 + 1.25 },
    ]);
    return id;
  };
  before(async () => {
    sensorId = await filled(user);
    await user.api.put(`/sensors/${sensorId}/metatags`, { metatags: { room: ['cold store'] } });
    const trigger = await buildTrigger(user, { name: 'too warm', expression: 'sensor_data_value > -15' });
    await connectTrigger(user, sensorId, trigger);
    await buildEnvironment(user, { name: 'cellar' });
    await buildGroup(user, { name: 'rowers' });
    await buildDashboard(user, { name: 'wall', tiles: [chartOf(sensorId)] });
  });

  it('has everything of the account, in entries that any tool reads', async () => {
    const entries = await entriesOf(await exportedZip(platform, user));
    assert.deepEqual(
      ALWAYS.filter((name) => !entries.has(name)),
      [],
    );
    const [sensor] = linesOf(entries, 'sensors.ndjson');
    assert.deepEqual(
      [sensor.id, sensor.sensor.name, sensor.sensor.unit, sensor.metatags],
      [sensorId, 'freezer', '°C', { default: { room: ['cold store'] } }],
    );
    assert.deepEqual(linesOf(entries, `data/${sensorId}.ndjson.gz`), [
      { date: T0, value: '-18.5' },
      { date: T0 + 1.25, value: 'text "quoted"\nand lines' },
    ]);
    assert.match(entries.get('rules.yaml') ?? '', /name: too warm[\s\S]*sensors:\n\s+- freezer/);
    assert.equal(linesOf(entries, 'environments.ndjson')[0].environment.name, 'cellar');
    assert.equal(linesOf(entries, 'groups.ndjson')[0].group.name, 'rowers');
    assert.equal(linesOf(entries, 'dashboards.ndjson')[0].dashboard.tiles[0].sensors[0], sensorId);
    assert.equal(JSON.parse(entries.get('account.json') ?? '').account.username, user.username);
    const manifest = JSON.parse(entries.get('manifest.json') ?? '');
    const data = manifest.entries.find(({ name }: { name: string }) => name.startsWith('data/'));
    assert.deepEqual([manifest.format, data.lines], [1, 2]);
    assert.ok(linesOf(entries, 'audit.ndjson').length > 0);
  });

  it('is one at a time, until it is cancelled', async () => {
    const first = await user.api.post('/exports', {});
    assert.equal(first.status, 201);
    const second = await user.api.post('/exports', {});
    assert.deepEqual([second.status, second.body.code], [409, 'conflict']);
    const { id } = first.body.export;
    assert.equal((await user.api.delete(`/exports/${id}`)).status, 200);
    const [state, file] = await user.api
      .get(`/exports/${id}`)
      .then(({ body }) => [body.export.state, body.export.file]);
    assert.deepEqual([state, file], ['cancelled', null]);
    assert.equal(await platform.container.archiveJobs.run(Number(id)), 'nothing-waits');
    assert.equal((await makeExport(platform, user)).state, 'done');
  });

  it('has a link that needs no session, opens one file only, and goes on where a download broke', async () => {
    const made = await makeExport(platform, user);
    const whole = await downloadFile(platform, made);
    const bytes = Buffer.from(await whole.arrayBuffer());
    assert.deepEqual(
      [whole.status, whole.headers.get('content-type'), Number(whole.headers.get('content-length'))],
      [200, 'application/zip', bytes.length],
    );
    const rest = await downloadFile(platform, made, { Range: 'bytes=1000-' });
    assert.equal(rest.status, 206);
    assert.equal(rest.headers.get('content-range'), `bytes 1000-${bytes.length - 1}/${bytes.length}`);
    assert.ok(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1000)));
    const other = await makeExport(platform, user);
    const mixed = await downloadFile(platform, { file: made.file.replace(`/${made.id}/`, `/${other.id}/`) });
    assert.equal(mixed.status, 404);
    await user.api.delete(`/exports/${made.id}`);
    assert.equal((await downloadFile(platform, made)).status, 404);
  });

  it('has secrets only with the password, encrypted with the passphrase', async () => {
    const owner = await platform.user();
    await buildNotification(owner, {
      ...{ type: 'url', name: 'hook', destination: 'https://example.org/x' },
      headers: { Authorization: 'Bearer very-secret' },
    });
    const passphrase = 'correct horse battery';
    const without = await exportedZip(platform, owner);
    assert.ok(!without.includes('very-secret'));
    assert.ok(!(await entriesOf(without)).has('secrets.enc'));
    const wrong = await owner.api.post('/exports', {
      export: { secrets: { password: '0'.repeat(32), passphrase } },
    });
    assert.deepEqual([wrong.status, wrong.body.code], [403, 'wrong_password']);
    const { secret } = await createKey(owner, { scopes: ['write'] });
    const byKey = await platform.anonymous.post(
      '/exports',
      { export: { secrets: { password: owner.password, passphrase } } },
      { Authorization: `Bearer ${secret}` },
    );
    assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required']);
    const zip = await exportedZip(platform, owner, { secrets: { password: owner.password, passphrase } });
    assert.ok(!zip.includes('very-secret'));
    const sealed = JSON.parse((await entriesOf(zip)).get('secrets.enc') ?? '');
    const { N, r, p } = sealed;
    const salt = Buffer.from(sealed.salt, 'base64');
    const key = scryptSync(passphrase, salt, 32, { N, r, p, maxmem: 2 ** 28 });
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.iv, 'base64'));
    decipher.setAuthTag(Buffer.from(sealed.tag, 'base64'));
    const text = Buffer.concat([decipher.update(Buffer.from(sealed.content, 'base64')), decipher.final()]);
    assert.equal(JSON.parse(String(text)).notifications.hook.headers.Authorization, 'Bearer very-secret');
    const rows = await platform.query('SELECT options FROM archives WHERE owner_id = ?', [owner.id]);
    assert.ok(
      rows.every(({ options }) => options === '{}'),
      'the key stays after the export',
    );
  });

  it('of a reader needs a credential that may do everything', async () => {
    const { secret } = await createKey(user, { scopes: ['read'] });
    const answer = await platform.anonymous.post('/exports', {}, { Authorization: `Bearer ${secret}` });
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope']);
    const stranger = await platform.user();
    const { id } = await makeExport(platform, user);
    assert.equal((await stranger.api.get(`/exports/${id}`)).status, 404);
    assert.equal((await stranger.api.delete(`/exports/${id}`)).status, 404);
  });

  it('goes on at the last piece after a worker was killed, and two workers write it once', async () => {
    const owner = await platform.user();
    const id = await buildSensor(owner, { name: 'many' });
    const rows = Array.from({ length: 120_000 }, (_, at) => [id, T0 * 1000 + at * 7, `${at}.25`, 1]);
    for (let at = 0; at < rows.length; at += 20_000)
      await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [
        rows.slice(at, at + 20_000),
      ]);
    const whole = linesOf(await entriesOf(await exportedZip(platform, owner)), `data/${id}.ndjson.gz`);
    assert.equal(whole.length, rows.length);
    const created = await owner.api.post('/exports', {});
    const archiveId = Number(created.body.export.id);
    // Each of them runs as if it were alone; what the other has written first ends it.
    let outcomes: string[] = [];
    for (let round = 0; round < 50 && !outcomes.includes('done'); round += 1)
      outcomes = await Promise.all([1, 2].map(() => platform.container.archiveJobs.run(archiveId)));
    await finishArchives(platform);
    const { file } = (await owner.api.get(`/exports/${archiveId}`)).body.export;
    const zip = Buffer.from(await (await downloadFile(platform, { file })).arrayBuffer());
    assert.deepEqual(linesOf(await entriesOf(zip), `data/${id}.ndjson.gz`), whole);
  });

  it('is made by workers', async () => {
    const created = await user.api.post('/exports', {});
    await platform.startWorkers(QUEUE_NAMES.filter((name) => name === 'archives'));
    const state = async () => (await user.api.get(`/exports/${created.body.export.id}`)).body.export.state;
    await until('the export is done', async () => (await state()) === 'done');
    await platform.stopWorkers();
  });
});
