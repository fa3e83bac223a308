import assert from 'node:assert/strict';
import { hashOf } from '../../../src/audit/chain/record';
import { adminOf } from '../../support/admin';
import { apiClient } from '../../support/api-client';
import { csvRows } from '../../support/csv-rows';
import { buildEnvironment, buildGroup, buildSensor, buildTrigger, createKey, share } from '../../support/factories';
import { accept, join, shareWithGroup } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { purgeOf } from '../../support/purging';

interface ReadRecord {
  [field: string]: unknown;
  action: string;
  changed: Record<string, unknown[]>;
}

describe('a history without gaps', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);

  const history = async (user: TestUser, query = ''): Promise<ReadRecord[]> => {
    const { status, body } = await user.api.get(`/audit?sort=ASC&per_page=1000&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.records;
  };
  const changesOf = async (user: TestUser, query: string) =>
    (await history(user, query)).map(({ action, changed }) => [action, changed]);
  const member = async (groupId: string): Promise<TestUser> => {
    const user = await platform.user();
    await join(user, groupId);
    await accept(ada, groupId, user);
    return user;
  };

  it('has what a group loses when a member leaves, deletes a sensor, or deletes their account', async () => {
    const groupId = await buildGroup(ada, { name: 'farm', public: 1 });
    for (const leave of ['sensor', 'group', 'account'] as const) {
      const user = await member(groupId);
      const sensorId = await buildSensor(user);
      await shareWithGroup(user, groupId, sensorId);
      const paths = { sensor: `/sensors/${sensorId}`, group: `/groups/${groupId}/users/${user.id}` };
      const path = leave === 'account' ? `/users/${user.id}` : paths[leave];
      assert.equal((await user.api.delete(path)).status, 200);
      if (leave === 'account') {
        await platform.query('UPDATE purge_queue SET retry_at_ms = 0'); // a slow request leaves the rest to the purge
        await purgeOf(platform, {}).run();
      }
      const lost = (await history(ada, `group_id=${groupId}&user_id=${user.id}`)).slice(-2);
      const removed = lost.flatMap(({ changed }) =>
        ['sensors', 'users'].flatMap((list) => (changed[list]?.[0] as string[] | undefined) ?? []),
      );
      assert.deepEqual(removed, leave === 'sensor' ? [sensorId] : [sensorId, user.id], leave);
    }
    assert.equal((await adminOf(platform).json('verify-audit', '--chain', `group:${groupId}`)).broken.length, 0);
  });

  it('has that a trigger is no longer shown to a group that its owner leaves', async () => {
    const groupId = await buildGroup(ada, { name: 'farm', public: 1 });
    const user = await member(groupId);
    const id = await buildTrigger(user, { name: 'too warm', group_id: groupId });
    assert.equal((await ada.api.delete(`/groups/${groupId}/users/${user.id}`)).status, 200);
    const [, last] = await changesOf(user, `subject_kind=trigger&subject_id=${id}`);
    assert.deepEqual(last, ['removeGroupUser', { group_id: [groupId, null] }]);
  });

  it('has both sides of what moves, and what an acceptance changes', async () => {
    const [from, to] = [await buildEnvironment(ada), await buildEnvironment(ada)];
    const sensorId = await buildSensor(ada);
    for (const id of [from, to]) await ada.api.post(`/environments/${id}/sensors`, { sensors: [{ id: sensorId }] });
    const of = (id: string) => changesOf(ada, `action=addEnvironmentSensors&subject_kind=environment&subject_id=${id}`);
    const [came, left] = [
      [[], [sensorId]],
      [[sensorId], []],
    ];
    assert.deepEqual(await of(from), [
      ['addEnvironmentSensors', { sensors: came }],
      ['addEnvironmentSensors', { sensors: left }],
    ]);
    assert.deepEqual(await of(to), [['addEnvironmentSensors', { sensors: came }]]);

    for (const uuid of ['first', 'second'])
      assert.ok((await ada.api.post(`/sensors/${sensorId}/device`, { device: { type: 'box', uuid } })).status < 300);
    const devices = await history(ada, `subject_kind=sensor&subject_id=${sensorId}`);
    const [before, after] = devices.flatMap(({ changed }) => (changed.device_id ? [changed.device_id] : []));
    assert.deepEqual([before?.[0], after?.[0]], [null, before?.[1]]);

    const groupId = await buildGroup(ada, { name: 'farm' });
    const user = await platform.user();
    await join(user, groupId);
    await accept(ada, groupId, user);
    const accepted = (await history(ada, `group_id=${groupId}`)).at(-1);
    assert.deepEqual(accepted?.changed, { [`users/${user.id}/accepted`]: [false, true] });
  });

  it('has a change at the end of a long expression', async () => {
    const long = Array.from({ length: 40 }, (_, at) => `sensor_data_value > ${at}`).join(' and ');
    const id = await buildTrigger(ada, { expression: `${long} and sensor_data_value > 50` });
    await ada.api.put(`/triggers/${id}`, { trigger: { expression: `${long} and sensor_data_value > 60` } });
    const [, [, changed]] = (await changesOf(ada, `subject_kind=trigger&subject_id=${id}`)) as [
      unknown,
      [unknown, ReadRecord['changed']],
    ];
    assert.match(JSON.stringify(changed.expression), /^\["….*> 50","….*> 60"\]$/);
  });

  it('names the key that made sensors for new names, once for an upload', async () => {
    const { id, secret } = await createKey(ada, { name: 'gateway', scopes: ['data:write', 'sensors:create'] });
    const write = async (lines: string) => {
      const answer = await fetch(`${platform.url}/api/v2/write?org=home&bucket=b`, {
        method: 'POST',
        headers: { authorization: `Token ${secret}`, 'content-type': 'text/plain; charset=utf-8' },
        body: lines,
      });
      assert.equal(answer.status, 204, await answer.text());
    };
    await write('roof value=1 1795229544000000000\ncellar value=2 1795229544000000000');
    await write('roof value=3 1795229545000000000');
    const [made, ...others] = await history(ada, 'subject_kind=series');
    assert.equal(others.length, 0);
    const ids = (await ada.api.get('/series')).body.series.map((one: { sensor_id: string }) => one.sensor_id);
    assert.deepEqual(made?.changed, { sensors: [[], ids.sort()] });
    assert.deepEqual(
      [made?.action, made?.by, made?.who],
      ['makeSensors', { kind: 'key', id, name: 'gateway', rule_set: null }, { id: ada.id, username: ada.username }],
    );
  });

  it('shows the address of nobody else, not even by its hash', async () => {
    const groupId = await buildGroup(ada, { name: 'farm', public: 1 });
    const user = await member(groupId);
    const rows = await platform.query('SELECT DISTINCT address FROM audit_records WHERE chain = ?', [
      `group:${groupId}`,
    ]);
    assert.deepEqual(rows, [{ address: null }]);
    const sensorId = await buildSensor(ada);
    await share(ada, sensorId, user);
    await user.api.delete(`/sensors/${sensorId}/users/${user.id}`);
    const left = (await history(ada)).at(-1);
    assert.deepEqual([left?.action, left?.address], ['unshareSensor', null]);
    const [own] = await history(user, 'action=addGroupUsers');
    assert.match(String(own?.address), /127\.0\.0\.1$/);
  });

  it('has usernames only of those whom the reader sees elsewhere', async () => {
    const user = await platform.user();
    const sensorId = await buildSensor(ada);
    await share(ada, sensorId, user);
    const groupId = await buildGroup(ada, { name: 'farm', public: 1 });
    await user.api.delete(`/sensors/${sensorId}/users/${user.id}`);
    const last = async () => (await history(ada, 'action=unshareSensor')).at(-1)?.who;
    assert.deepEqual(await last(), { id: user.id, username: null });
    await join(user, groupId, { display_user_info: { show_username: 1 } });
    assert.deepEqual(await last(), { id: user.id, username: user.username });
  });

  it('can be checked by its reader, from what the API returns', async () => {
    await createKey(ada, { name: 'a key' });
    await buildTrigger(ada, { name: 'zu warm — 温かすぎる 🌡 "\\' });
    await platform.anonymous.post('/login', { username: ada.username, password: '0'.repeat(32) });
    await platform.container.refusedAttempts.flush();
    await adminOf(platform).json('keys', 'end', ada.username, '--all');
    const text = String((await ada.api.get('/audit.ndjson?sort=ASC')).body);
    let previous = '0'.repeat(64);
    for (const line of text.trim().split('\n')) {
      const { sequence, date, who, by, address, action, refused, times, subject, changed, hash } = JSON.parse(line);
      const record = {
        ...{ chain: `account:${ada.id}`, sequence, dateMs: Math.round(date * 1000), who: who && Number(who.id) },
        ...{ byKind: by.kind, byId: by.id && Number(by.id), byName: by.kind === 'operator' ? by.name : null },
        ...{ ruleSet: by.rule_set, address, action, refused, times, subjectKind: subject?.kind ?? null },
        ...{ subjectId: subject?.id ? Number(subject.id) : null, subjectName: subject?.name ?? null },
        ...{ changed: JSON.stringify(changed), previous },
      };
      assert.equal(hashOf(record), hash, line);
      previous = hash;
    }
    assert.equal((await ada.api.get('/audit/head')).body.head.hash, previous);
  });

  it('comes in pages, whole and filtered, also without its oldest records', async () => {
    for (let at = 0; at < 5; at += 1) await buildSensor(ada, { name: `sensor ${at}` });
    const chain = `account:${ada.id}`;
    await platform.query('DELETE FROM audit_records WHERE chain = ? AND sequence < 3', [chain]);
    await platform.query('UPDATE audit_heads SET first_kept = 3 WHERE chain = ?', [chain]);
    for (const filter of ['', '&subject_kind=sensor'])
      for (const sort of ['ASC', 'DESC']) {
        const read = async (page: number, size: number) =>
          (await ada.api.get(`/audit?sort=${sort}&total=true&page=${page}&per_page=${size}${filter}`)).body;
        const { records, total } = await read(0, 100);
        assert.equal(total, 5);
        const pages = [await read(0, 2), await read(1, 2), await read(2, 2), await read(3, 2)];
        assert.deepEqual(
          pages.flatMap((one) => one.records),
          records,
        );
        const sequences = records.map((one: ReadRecord) => one.sequence);
        assert.deepEqual(sequences, sort === 'ASC' ? [3, 4, 5, 6, 7] : [7, 6, 5, 4, 3]);
      }
  });

  it('proves with a head that was kept that its end is still there', async () => {
    await buildTrigger(ada);
    const { sequence, hash } = (await ada.api.get('/audit/head')).body.head;
    const chain = `account:${ada.id}`;
    const verify = (head: string) =>
      adminOf(platform).admin('--json', 'verify-audit', '--chain', chain, '--head', head);
    await buildTrigger(ada);
    assert.equal((await verify(`${sequence}:${hash}`)).exitCode, 0);
    const [before] = await platform.query('SELECT sequence, hash FROM audit_records WHERE chain = ? AND sequence = ?', [
      chain,
      sequence - 1,
    ]);
    await platform.query('DELETE FROM audit_records WHERE chain = ? AND sequence >= ?', [chain, sequence]);
    await platform.query('UPDATE audit_heads SET sequence = ?, hash = ? WHERE chain = ?', [
      before?.sequence,
      before?.hash,
      chain,
    ]);
    assert.equal((await adminOf(platform).admin('verify-audit', '--chain', chain)).exitCode, 0);
    const found = await verify(`${sequence}:${hash}`);
    assert.deepEqual([found.exitCode, JSON.parse(found.output).broken], [3, [{ chain, sequence, problem: 'missing' }]]);
    assert.equal((await verify('17')).exitCode, 2);
    assert.equal((await adminOf(platform).admin('verify-audit', '--head', `${sequence}:${hash}`)).exitCode, 2);
  });

  it('is one chain while sixteen clients change the same account and its groups', async () => {
    const groups = [await buildGroup(ada, { name: 'one' }), await buildGroup(ada, { name: 'two' })];
    const trigger = await buildTrigger(ada);
    const clients = Array.from({ length: 16 }, () => apiClient(platform.url, { 'X-SESSION_ID': ada.session }));
    const work = async (client: TestUser['api'], at: number) => {
      for (let round = 0; round < 5; round += 1) {
        const name = `${at} ${round}`;
        const answers = await Promise.all([
          client.put(`/triggers/${trigger}`, { trigger: { name } }),
          client.put(`/groups/${groups[at % 2]}`, { group: { name } }),
          client.post('/sensors', { sensor: { name } }),
          client.put(`/sensors/${at + 1_000_000}`, { sensor: { name } }),
        ]);
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 201, 404],
          JSON.stringify(answers),
        );
      }
    };
    await Promise.all(clients.map(work));
    await platform.container.refusedAttempts.flush();
    const { sequence } = (await ada.api.get('/audit/head')).body.head;
    assert.equal(
      (await platform.query('SELECT 1 FROM audit_records WHERE chain = ?', [`account:${ada.id}`])).length,
      sequence,
    );
    assert.deepEqual((await adminOf(platform).json('verify-audit')).broken, []);
  });

  it('is CSV in which no name is a formula, and NDJSON with all names as they are', async () => {
    const names = ['=1+1', '+1+1', '-1', '@SUM(A1)', '\tx', 'two\r\nlines', 'a "quoted", name', '100 %'];
    for (const name of names) await buildSensor(ada, { name });
    const csv = String((await ada.api.get('/audit.csv?subject_kind=sensor&sort=ASC')).body);
    const cells = csvRows(csv).rows.map(({ subject_name }) => subject_name);
    assert.deepEqual(cells, ["'=1+1", "'+1+1", '-1', "'@SUM(A1)", "'\tx", ...names.slice(5)]);
    const lines = String((await ada.api.get('/audit.ndjson?subject_kind=sensor&sort=ASC')).body)
      .trim()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).subject.name),
      names,
    );
  });
});
