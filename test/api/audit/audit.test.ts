import assert from 'node:assert/strict';
import { actAs } from '../../../src/audit';
import { Sensor } from '../../../src/storage/models/sensor.model';
import { inTransaction } from '../../../src/storage/transaction';
import { adminOf } from '../../support/admin';
import { csvRows } from '../../support/csv-rows';
import { buildGroup, buildSensor, buildTrigger, createKey } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { join } from '../../support/groups';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { purgeOf } from '../../support/purging';

const DAY_MS = 86_400_000;

describe('the history of an account', () => {
  const clock = fakeClock(Date.now());
  const platform = usePlatform({ clock, config: { SESSION_IDLE_DAYS: '0' } });
  const ada = useUserPerTest(platform);
  const other = useUser(platform);

  const history = async (user: TestUser = ada, query = '') => {
    const { status, body } = await user.api.get(`/audit?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.records;
  };
  const verify = async (...args: string[]) => {
    const { exitCode, output } = await adminOf(platform).admin('--json', 'verify-audit', ...args);
    return { exitCode, ...JSON.parse(output) };
  };
  const chainOf = ({ id }: TestUser) => `account:${id}`;

  it('shows who changed what, before and after, newest first', async () => {
    const id = await buildTrigger(ada, { name: 'too warm', expression: 'sensor_data_value > 30' });
    await ada.api.put(`/triggers/${id}`, { trigger: { expression: 'sensor_data_value > 28' } });
    const [last, first] = await history(ada, `subject_kind=trigger&subject_id=${id}`);
    assert.deepEqual([first.action, last.action], ['createTrigger', 'updateTrigger']);
    assert.deepEqual(last.changed, { expression: ['sensor_data_value > 30', 'sensor_data_value > 28'] });
    assert.deepEqual(last.who, { id: ada.id, username: ada.username });
    assert.equal(last.by.kind, 'session');
    assert.match(last.address, /127\.0\.0\.1$/);
    assert.deepEqual(last.subject, { kind: 'trigger', id, name: 'too warm' });
    assert.equal(last.date, clock.now() / 1000);
    assert.equal(last.previous, first.hash);
    assert.deepEqual((await ada.api.get('/audit/head')).body.head.hash, last.hash);
    assert.deepEqual(await history(ada, 'sort=ASC&action=updateTrigger'), [last]);
    assert.deepEqual(await history(ada, `end_date=${clock.now() / 1000 - 60}`), []);
  });

  it('names keys, rule sets and operators, and is CSV and NDJSON as well', async () => {
    const { secret, id } = await createKey(ada, { name: 'gateway', scopes: ['read', 'write'] });
    const byKey = { Authorization: `Bearer ${secret}` };
    await platform.anonymous.post('/sensors', { sensor: { name: 'by key' } }, byKey);
    const [made] = await history(ada, 'action=createSensor');
    assert.deepEqual(made.by, { kind: 'key', id, name: 'gateway', rule_set: null });
    const document = { set: 'cold', triggers: [{ name: 'no data', inactivity: 60 }] };
    const { digest } = (await ada.api.post('/rules/plan?days=0', document)).body.plan;
    await ada.api.post(`/rules/apply?digest=${digest}`, document);
    const [applied] = await history(ada, 'action=applyRules');
    assert.deepEqual([applied.by.rule_set, applied.subject.name], ['cold', 'no data']);
    await adminOf(platform).json('keys', 'end', ada.username, '--all');
    const [ended] = await history(ada, 'subject_kind=key');
    assert.deepEqual([ended.by.kind, ended.by.name, ended.who], ['operator', 'command line', null]);
    const csv = await ada.api.get('/audit.csv?subject_kind=key');
    assert.equal(csv.status, 200, JSON.stringify(csv.body));
    const { rows } = csvRows(String(csv.body));
    assert.deepEqual(
      rows.map(({ action, by, by_name }) => [action, by, by_name]),
      [
        ['end-keys', 'operator', 'command line'],
        ['createKey', 'session', ''],
      ],
    );
    const lines = String((await ada.api.get('/audit.ndjson?subject_kind=key')).body)
      .trim()
      .split('\n');
    assert.deepEqual(JSON.parse(lines[0] ?? ''), ended);
  });

  it('counts a flood of refused sign-ins, and has the one that succeeded', async () => {
    const wrong = { username: ada.username, password: '0'.repeat(32) };
    for (let guess = 0; guess < 5; guess += 1)
      assert.equal((await platform.anonymous.post('/login', wrong)).status, 401);
    await platform.container.refusedAttempts.flush();
    const refused = await history(ada, 'refused=true');
    assert.deepEqual(
      refused.map((one: { action: string; refused: number; times: number }) => [one.action, one.refused, one.times]),
      [
        ['login', 401, 4],
        ['login', 401, 1],
      ],
    );
    assert.equal(refused[0].who, null);
    assert.equal(refused[0].by.kind, 'visitor');
    await platform.anonymous.post('/login', { username: ada.username, password: ada.password });
    const [signedIn] = await history(ada, 'action=login&refused=false');
    assert.deepEqual([signedIn.who.id, signedIn.subject.kind], [ada.id, 'session']);
  });

  it('records what a user may not do on their own account only, and shows nothing to others', async () => {
    const sensorId = await buildSensor(other);
    assert.equal((await ada.api.put(`/sensors/${sensorId}`, { sensor: { name: 'mine' } })).status, 404);
    const { secret } = await createKey(ada, { scopes: ['read'] });
    const refused = await platform.anonymous.post('/sensors', {}, { Authorization: `Bearer ${secret}` });
    assert.equal(refused.status, 403);
    await platform.container.refusedAttempts.flush();
    const found = await history(ada, 'refused=true&sort=ASC');
    assert.deepEqual(
      found.map((one: { action: string; refused: number }) => [one.action, one.refused]),
      [
        ['updateSensor', 404],
        ['createSensor', 403],
      ],
    );
    assert.deepEqual(await history(other, 'refused=true'), []);
    assert.deepEqual(await history(other, `user_id=${ada.id}`), []);
  });

  it('has no record of a change that was rolled back', async () => {
    const { sequelize } = platform.container.database;
    const act = {
      userId: Number(ada.id),
      byKind: 'session',
      byId: 1,
      address: null,
      action: 'test',
      dateMs: 5,
    } as const;
    const create = (name: string, work: () => void) =>
      actAs(act, () =>
        inTransaction(sequelize, async (transaction) => {
          const fields = { ownerId: Number(ada.id), name, dataStructure: '[]', createdMs: 1 };
          await Sensor.create(fields, { transaction });
          work();
        }),
      );
    await assert.rejects(
      create('rolled back', () => {
        throw new Error('no');
      }),
    );
    assert.deepEqual(await history(ada, 'action=test'), []);
    let tries = 0;
    await create('after a deadlock', () => {
      tries += 1;
      if (tries < 3) throw Object.assign(new Error('deadlock'), { code: 'ER_LOCK_DEADLOCK' });
    });
    assert.equal((await history(ada, 'action=test')).length, 1);
    await assert.rejects(
      actAs(act, () => Sensor.create({ ownerId: Number(ada.id), name: 'x', dataStructure: '[]', createdMs: 1 })),
      /outside of a transaction/,
    );
  });

  it('stays one chain while many edits arrive at once', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => buildTrigger(ada)));
    const puts = ids.flatMap((id) =>
      [1, 2, 3].map((hold) => ada.api.put(`/triggers/${id}`, { trigger: { name: `${hold}`, hold } })),
    );
    for (const { status } of await Promise.all(puts)) assert.equal(status, 200);
    const records = await history(ada, 'sort=ASC');
    assert.deepEqual(
      records.map((one: { sequence: number }) => one.sequence),
      records.map((_: unknown, index: number) => index + 1),
    );
    const { exitCode, broken } = await verify('--chain', chainOf(ada));
    assert.deepEqual([exitCode, broken], [0, []]);
  });

  it('names the first broken record of a chain', async () => {
    for (let count = 0; count < 4; count += 1) await buildTrigger(ada, { name: `trigger ${count}` });
    const chain = chainOf(ada);
    const set = (sql: string, ...values: unknown[]) => platform.query(sql, [...values, chain]);
    const first = async () => (await verify('--chain', chain)).broken[0];
    assert.equal(await first(), undefined);
    await set("UPDATE audit_records SET subject_name = 'x' WHERE sequence = 4 AND chain = ?");
    assert.deepEqual(await first(), { chain, sequence: 4, problem: 'changed' });
    await set('DELETE FROM audit_records WHERE sequence = 2 AND chain = ?');
    assert.deepEqual(await first(), { chain, sequence: 2, problem: 'missing' });
    const { exitCode, broken } = await verify();
    assert.equal(exitCode, 3);
    assert.deepEqual(broken, [{ chain, sequence: 2, problem: 'missing' }]);
    await set('DELETE FROM audit_records WHERE chain = ?');
    await set('DELETE FROM audit_heads WHERE chain = ?');
  });

  it('is whole after its oldest records are past their retention', async () => {
    await buildSensor(ada);
    const before = await history(ada);
    clock.advance(300 * DAY_MS);
    await buildSensor(ada);
    clock.advance(101 * DAY_MS);
    await purgeOf(platform, { audit: 400 }).run();
    const after = await history(ada);
    assert.equal(after.length, 1);
    assert.equal(after[0].previous, before[0].hash);
    assert.equal((await ada.api.get('/audit/head')).body.head.first_kept, before.length + 1);
    assert.deepEqual((await verify('--chain', chainOf(ada))).broken, []);
  });

  it('goes with the account', async () => {
    await buildSensor(ada);
    assert.equal((await ada.api.delete(`/users/${ada.id}`)).status, 200);
    await purgeOf(platform, {}).run();
    assert.deepEqual(await platform.query('SELECT * FROM audit_heads WHERE chain = ?', [chainOf(ada)]), []);
    assert.deepEqual(await platform.query('SELECT * FROM audit_records WHERE chain = ?', [chainOf(ada)]), []);
  });

  it('of a group is for those who may edit it, and stays when a member deletes their account', async () => {
    const groupId = await buildGroup(ada, { name: 'farm', public: 1 });
    const member = await platform.user();
    await join(member, groupId);
    assert.equal((await member.api.get(`/audit?group_id=${groupId}`)).status, 403);
    assert.equal((await other.api.get(`/audit/head?group_id=${groupId}`)).status, 403);
    await ada.api.post(`/groups/${groupId}/users`, { users: [{ user: { id: member.id } }] });
    await ada.api.put(`/groups/${groupId}/users/${member.id}`, { group_permissions: { remove_users: 1 } });
    const [last] = await history(ada, `group_id=${groupId}`);
    assert.deepEqual(last.subject, { kind: 'group', id: groupId, name: null });
    assert.deepEqual(last.changed, { [`users/${member.id}/remove_users`]: [false, true] });
    await member.api.delete(`/users/${member.id}`);
    const joined = await history(ada, `group_id=${groupId}&user_id=${member.id}`);
    assert.ok(joined.length > 0);
    for (const { who, address } of joined) assert.deepEqual([who.username, address], [null, null]);
    assert.deepEqual((await verify('--chain', `group:${groupId}`)).broken, []);
  });

  it('never has a secret', async () => {
    const marker = 'MARKER4711';
    const { secret } = await createKey(ada, { name: 'k' });
    const url = `https://hooks.example.org/${marker}`;
    const headers = { Authorization: `Bearer ${marker}` };
    const made = await ada.api.post('/notifications', {
      notification: { type: 'url', text: 'x', destination: url, headers, body: { token: marker } },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { id, signing_secret } = made.body.notification;
    await ada.api.put(`/notifications/${id}`, { notification: { destination: `${url}/2`, text: 'y' } });
    const source = { name: 's', url: 'mqtts://broker.example.org', username: 'u', password: marker, topics: ['a'] };
    const mqtt = await ada.api.post('/mqtt_sources', { mqtt_source: { ...source, decoder: 'plain' } });
    const group = await ada.api.post('/groups', { group: { name: 'g', password: '4711'.repeat(8) } });
    assert.equal(group.status, 201, JSON.stringify(group.body));
    await ada.api.post('/change_password', { current_password: ada.password, new_password: 'ab'.repeat(16) });
    const rows = await platform.query('SELECT * FROM audit_records');
    const [user] = await platform.query('SELECT password_hash FROM users WHERE id = ?', [ada.id]);
    const secrets = [marker, secret, signing_secret, ada.password, ada.session, 'ab'.repeat(16), '4711'.repeat(8)];
    for (const hidden of [...secrets, String(user?.password_hash)])
      assert.ok(!JSON.stringify(rows).includes(hidden), `${hidden} is in a record`);
    const changes = await history(ada, `subject_kind=notification&subject_id=${id}`);
    assert.deepEqual(changes[0].changed, { text: ['x', 'y'], destination: ['secret', 'secret'] });
    assert.ok([201, 400].includes(mqtt.status), JSON.stringify(mqtt.body));
    assert.deepEqual((await history(ada, 'action=changePassword&subject_kind=user'))[0].changed, {
      password: ['secret', 'secret'],
    });
  });
});
