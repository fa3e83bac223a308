import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { buildNote, buildSensor, createKey, share } from '../../support/factories';
import { usePlatform, useUser, useUserPerTest } from '../../support/hooks';

const AT = 1_795_229_544.125;

describe('notes', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const friend = useUser(platform);
  const stranger = useUser(platform);

  const post = (sensor: string, note: unknown) => user.api.post(`/sensors/${sensor}/notes`, { note });
  const texts = async (sensor: string, query = '', reader: typeof friend = user) =>
    (await reader.api.get(`/sensors/${sensor}/notes${query}`)).body.notes.map(({ text }: { text: string }) => text);

  it('are written at a moment or a period, and read by those who see the sensor', async () => {
    const sensor = await buildSensor(user);
    const { status, body, headers } = await post(sensor, { date: AT, text: 'window open 🪟' });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `${platform.url}/sensors/${sensor}/notes/${body.note.id}`);
    const author = { id: user.id, username: user.username };
    assert.deepEqual(body.note, { id: body.note.id, date: AT, end_date: null, text: 'window open 🪟', user: author });
    const period = { date: '2026-11-20T10:00:00Z', end_date: '2026-11-20T11:00:00+01:00', text: 'repairs' };
    const same = (await post(sensor, period)).body.note;
    assert.deepEqual([same.date, same.end_date], [1_795_168_800, 1_795_168_800], 'a period without a length');
    assert.equal((await user.api.post(`/sensors/${sensor}/notes`, { date: AT, text: 'bare' })).status, 201);
    await share(user, sensor, friend);
    const read = (await friend.api.get(`/sensors/${sensor}/notes?total=1`)).body;
    assert.deepEqual([read.notes.length, read.total, read.notes[1]], [3, 3, body.note], 'by date');
    assert.deepEqual(await texts(sensor, '?page=1&per_page=2', friend), ['bare']);
  });

  it('are listed if they touch the range', async () => {
    const sensor = await buildSensor(user);
    await buildNote(user, sensor, { date: 1_000, text: 'moment' });
    await buildNote(user, sensor, { date: 500, end_date: 2_000, text: 'period' });
    assert.deepEqual(await texts(sensor), ['period', 'moment']);
    assert.deepEqual(await texts(sensor, '?start_date=1000&end_date=1000'), ['period', 'moment']);
    assert.deepEqual(await texts(sensor, '?start_date=1000.001'), ['period']);
    assert.deepEqual(await texts(sensor, '?end_date=999.999'), ['period']);
    assert.deepEqual(await texts(sensor, '?start_date=2001'), []);
    assert.deepEqual(await texts(sensor, '?start_date=0&end_date='), ['period', 'moment'], 'neutral values');
    assert.equal((await user.api.get(`/sensors/${sensor}/notes?start_date=soon`)).status, 400);
  });

  it('are changed field by field, and deleted once', async () => {
    const sensor = await buildSensor(user);
    const id = await buildNote(user, sensor, { date: AT, end_date: AT + 10, text: 'first' });
    const put = (note: unknown) => user.api.put(`/sensors/${sensor}/notes/${id}`, { note });
    const { note } = (await put({ text: 'second' })).body;
    assert.deepEqual([note.text, note.date, note.end_date], ['second', AT, AT + 10]);
    assert.deepEqual((await put(note)).body, { note }, 'the record sent back');
    assert.deepEqual((await put({ text: '', date: '' })).body, { note }, 'neutral values');
    assert.equal((await put({ end_date: null })).body.note.end_date, null);
    assert.equal((await put({ end_date: AT - 1 })).status, 400);
    assert.deepEqual((await user.api.delete(`/sensors/${sensor}/notes/${id}`)).body, {});
    assert.equal((await user.api.delete(`/sensors/${sensor}/notes/${id}`)).status, 404);
    assert.equal((await put({ text: 'third' })).status, 404);
  });

  it('say what is wrong', async () => {
    const sensor = await buildSensor(user);
    const refusals: [unknown, string][] = [
      [{ date: AT }, 'note.text'],
      [{ date: AT, text: '' }, 'note.text'],
      [{ date: AT, text: 'x'.repeat(501) }, 'note.text'],
      [{ date: AT, text: ['x'] }, 'note.text'],
      [{ text: 'x' }, 'note.date'],
      [{ date: 'soon', text: 'x' }, 'note.date'],
      [{ date: -1, text: 'x' }, 'note.date'],
      [{ date: 1e12, text: 'x' }, 'note.date'],
      [{ date: AT, end_date: AT - 0.001, text: 'x' }, 'note.end_date'],
      [{ date: AT, end_date: 1e12, text: 'x' }, 'note.end_date'],
      ['text', 'note'],
    ];
    for (const [note, field] of refusals) {
      const { status, body } = await post(sensor, note);
      assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, [field]], JSON.stringify([note, body]));
    }
    assert.equal((await post(sensor, { date: AT, text: 'x'.repeat(500) })).status, 201);
    assert.equal((await post('99999999', { date: AT, text: 'x' })).status, 404);
    assert.equal((await user.api.delete(`/sensors/${sensor}/notes/x`)).status, 404);
  });

  it('belong to the owner of the sensor, and to that sensor', async () => {
    const [sensor, other] = [await buildSensor(user), await buildSensor(user)];
    const id = await buildNote(user, sensor);
    const path = `/sensors/${sensor}/notes`;
    await share(user, sensor, friend);
    for (const [reader, status] of [
      [friend, 403],
      [stranger, 404],
    ] as const) {
      assert.equal((await reader.api.post(path, { note: { date: AT, text: 'x' } })).status, status);
      assert.equal((await reader.api.put(`${path}/${id}`, { note: { text: 'x' } })).status, status);
      assert.equal((await reader.api.delete(`${path}/${id}`)).status, status);
    }
    assert.equal((await stranger.api.get(path)).status, 404);
    assert.equal((await user.api.put(`/sensors/${other}/notes/${id}`, { note: { text: 'x' } })).status, 404);
    assert.equal((await user.api.delete(`/sensors/${other}/notes/${id}`)).status, 404);
    assert.deepEqual(await texts(sensor), ['a note']);
  });

  it('are read and written by keys with the scope, on the sensors of the key', async () => {
    const [sensor, other] = [await buildSensor(user), await buildSensor(user)];
    const withKey = async (scopes: string[]) => {
      const { secret } = await createKey(user, { scopes, sensors: [sensor] });
      return apiClient(platform.url, { authorization: `Bearer ${secret}` });
    };
    const [reader, writer] = [await withKey(['read']), await withKey(['write'])];
    const note = { date: AT, text: 'by a program' };
    assert.equal((await writer.post(`/sensors/${sensor}/notes`, { note })).status, 201);
    assert.equal((await writer.post(`/sensors/${other}/notes`, { note })).status, 404);
    assert.equal((await reader.post(`/sensors/${sensor}/notes`, { note })).status, 403);
    assert.equal((await reader.get(`/sensors/${sensor}/notes`)).body.notes.length, 1);
    assert.equal((await reader.get(`/sensors/${other}/notes`)).status, 404);
  });

  it('are at most 1,000 of a sensor, and go with it', async () => {
    const sensor = await buildSensor(user);
    const rows = Array.from({ length: 998 }, (_, at) => `(${Number(sensor)}, ${at}, 'x')`);
    await platform.query(`INSERT INTO sensor_notes (sensor_id, date_ms, text) VALUES ${rows.join()}`);
    const answers = await Promise.all([1, 2, 3, 4].map((date) => post(sensor, { date, text: 'late' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409], 'at the same time');
    await user.api.delete(`/sensors/${sensor}`);
    const left = await platform.query('SELECT id FROM sensor_notes WHERE sensor_id = ?', [sensor]);
    assert.deepEqual(left, []);
  });
});
