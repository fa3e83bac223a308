import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { milliseconds, positive } from '../../src/admin/command';
import { receiverNamed } from '../../src/admin/commands/receivers';
import { withPrivateInstances } from '../../src/admin/private-instances';
import { duration, table } from '../../src/admin/text';

describe('the command line for operators', () => {
  it('takes the private instances of npm start where no servers are named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sensors-admin-'));
    const file = join(folder, 'instances.json');
    try {
      assert.deepEqual(withPrivateInstances({ REDIS_URL: 'r' }, file), { REDIS_URL: 'r', MYSQL_URL: undefined });
      writeFileSync(file, JSON.stringify({ password: 'x', mysqlPort: 1, mysqlUrl: 'own-m', redisUrl: 'own-r' }));
      assert.deepEqual(withPrivateInstances({}, file), { MYSQL_URL: 'own-m', REDIS_URL: 'own-r' });
      assert.deepEqual(withPrivateInstances({ MYSQL_URL: 'm', REDIS_URL: '' }, file), {
        MYSQL_URL: 'm',
        REDIS_URL: 'own-r',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('takes receivers as they are written elsewhere', () => {
    for (const [text, receiver] of [
      ['hooks.example.org:443', 'hooks.example.org:443'],
      ['HOOKS.example.org:8443', 'hooks.example.org:8443'],
      ['https://hooks.example.org/a?token=x', 'hooks.example.org:443'],
      ['http://127.0.0.1/', '127.0.0.1:80'],
      ['[::1]:8080', '[::1]:8080'],
      ['smtp', 'smtp'],
    ] as const) {
      assert.equal(receiverNamed(text), receiver);
    }
    for (const text of ['', 'hooks.example.org', 'ftp://x/', 'x:y', 'a b:80', 'none']) {
      assert.throws(() => receiverNamed(text), /is no receiver/, text);
    }
  });

  it('reads durations and counts', () => {
    assert.deepEqual(['90s', '30m', '24h', '7d'].map(milliseconds), [90_000, 1_800_000, 86_400_000, 604_800_000]);
    for (const text of ['', '5', '1w', '-1h', '1.5h']) assert.throws(() => milliseconds(text), text);
    assert.equal(positive('12'), 12);
    for (const text of ['0', '-1', '1.5', 'x', '']) assert.throws(() => positive(text), text);
  });

  it('prints durations and tables that people read', () => {
    assert.deepEqual([null, 0, 12.3, 60, 250, 11_100, 187_200].map(duration), [
      '-',
      '0 s',
      '12.3 s',
      '1 min',
      '4 min 10 s',
      '3 h 5 min',
      '2 d 4 h',
    ]);
    assert.deepEqual(
      table(
        [
          { a: 'x', count: 5 },
          { a: 'longer', count: 1_000 },
        ],
        '',
      ),
      ['a       count', 'x           5', 'longer   1000'],
    );
    assert.deepEqual(table([], 'nothing'), ['nothing']);
  });
});
