import assert from 'node:assert/strict';
import { editRulesOn } from '../../src/access/rule-edit';
import type { Credential } from '../../src/platform/caller';
import { type Preconditions, requirePreconditions } from '../../src/points/intake/preconditions';
import { readUploadEpochs } from '../../src/points/intake/upload-targets';
import { isOutOfRange } from '../../src/storage/mysql-errors';
import { inPoolTransaction } from '../../src/storage/transaction';
import { buildNotification, buildSensor, create, createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';

const EXPIRES_MS = 4_102_444_800_000;

describe('the preconditions of an upload with cached data', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const run = (sql: string, values: unknown[]) => platform.query(sql, values);
  /** Whether these still hold, and that what follows them in the transaction runs only then. */
  const holds = async (assumptions: Preconditions): Promise<boolean> => {
    const { pool } = platform.container.database;
    await run('UPDATE users SET name = ? WHERE id = ?', ['before', user.id]);
    const isRefused = await inPoolTransaction(pool, async (connection) => {
      const writing = [
        requirePreconditions(connection, assumptions),
        connection.query("UPDATE users SET name = 'after' WHERE id = ?", [user.id]),
      ];
      await Promise.all(writing);
    }).then(
      () => false,
      (error: unknown) => isOutOfRange(error) || Promise.reject(error),
    );
    const [row] = await run('SELECT name FROM users WHERE id = ?', [user.id]);
    assert.equal(row?.name, isRefused ? 'before' : 'after');
    return !isRefused;
  };
  const present = async (): Promise<Preconditions> => {
    const [session] = await run('SELECT id FROM sessions WHERE user_id = ?', [user.id]);
    const key = await createKey(user);
    const sensors = new Set([Number(await buildSensor(user)), Number(await buildSensor(user))]);
    const limited = await createKey(user, { sensors: [...sensors], expires: EXPIRES_MS / 1_000 });
    const credentials: Credential[] = [
      { kind: 'session', id: Number(session?.id) },
      { kind: 'key', id: Number(key.id), scopes: ['data:write'] },
      { kind: 'key', id: Number(limited.id), scopes: ['data:write'], sensors, expiresMs: EXPIRES_MS },
    ];
    return { epochs: await readUploadEpochs(platform.container.database.pool), credentials };
  };

  it('hold while nothing has changed, even if only a part is cached', async () => {
    const assumptions = await present();
    const { epochs, credentials } = assumptions;
    assert.ok(await holds(assumptions));
    assert.ok(await holds({ epochs, credentials: [] }));
    assert.ok(await holds({ credentials }));
    assert.ok(await holds({ credentials: [...credentials, ...credentials] }));
  });

  it('refuse it if one key is cached in two versions, of which at most one still holds', async () => {
    const { credentials } = await present();
    for (const kept of credentials.filter(({ kind }) => kind === 'key')) {
      const former: Credential = { ...kept, kind: 'key', scopes: ['data:write'], sensors: new Set([1]) };
      assert.equal(await holds({ credentials: [kept, former] }), false);
      assert.equal(await holds({ credentials: [former, kept] }), false);
    }
  });

  it('refuse it for a kind of credential without a check', async () => {
    await assert.rejects(holds({ credentials: [{ kind: 'oauth2', id: 1 }] }), /is not known/);
  });

  it('refuse it after a change of a sensor, and with another number of partitions', async () => {
    const { epochs = new Map(), credentials } = await present();
    const sensorIds = [Number(await buildSensor(user))];
    assert.equal(await holds({ epochs: new Map([...epochs, [epochs.size, 0]]), credentials }), false);
    await editRulesOn(platform.container.database.pool, (edit) => edit.affects({ sensorIds }));
    assert.equal(await holds({ epochs, credentials }), false);
  });

  it('refuse it once an event notification waits for uploads', async () => {
    const assumptions = await present();
    const event_notification = { event: 'add_sensor_data', notification_id: await buildNotification(user) };
    const disabled = { event_notification: { ...event_notification, enabled: false } };
    const { id } = (await create(user, '/events/notifications', disabled)).event_notification;
    assert.ok(await holds(assumptions));
    await user.api.put(`/events/notifications/${id}`, { event_notification: { enabled: true } });
    assert.equal(await holds(assumptions), false);
    const later = await present();
    await user.api.put(`/events/notifications/${id}`, { event_notification: { name: 'uploads' } });
    assert.ok(await holds(later), 'it has waited before');
    await create(user, '/events/notifications', { event_notification });
    assert.equal(await holds(later), false);
  });

  for (const [what, sql] of [
    ['the session has ended', 'DELETE FROM sessions WHERE user_id = ?'],
    ['the key was deleted', 'DELETE FROM api_keys WHERE owner_id = ?'],
    [
      'a key has got an end',
      'UPDATE api_keys SET expires_ms = 9999999999999 WHERE owner_id = ? AND expires_ms IS NULL',
    ],
    ['the end of a key is another', 'UPDATE api_keys SET expires_ms = expires_ms + 1 WHERE owner_id = ?'],
    ['a key has no end any more', 'UPDATE api_keys SET expires_ms = NULL WHERE owner_id = ?'],
    ['a key has got sensors', "UPDATE api_keys SET sensors = '[]' WHERE owner_id = ? AND sensors IS NULL"],
    [
      'the sensors of a key are others',
      "UPDATE api_keys SET sensors = '[1]' WHERE owner_id = ? AND sensors IS NOT NULL",
    ],
    ['a key is not limited to sensors any more', 'UPDATE api_keys SET sensors = NULL WHERE owner_id = ?'],
    ['the account of the key was closed', 'UPDATE users SET closed_ms = 1 WHERE id = ?'],
  ] as const) {
    it(`refuse it once ${what}`, async () => {
      const { credentials } = await present();
      await run(sql, [user.id]);
      assert.equal(await holds({ credentials }), false);
    });
  }
});
