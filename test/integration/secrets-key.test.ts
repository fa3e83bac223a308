import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/platform/config';
import { readSecretsKey } from '../../src/platform/secrets-key';

const SERVERS = { MYSQL_URL: 'mysql://localhost/x', REDIS_URL: 'redis://localhost' };

describe('the key of stored secrets', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-key-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is made once, in a file that only its user can read', () => {
    const dataDir = join(folder, 'new', 'data');
    const key = readSecretsKey({ secretsKey: undefined, dataDir });
    assert.equal(key.length, 32);
    assert.deepEqual(readSecretsKey({ secretsKey: undefined, dataDir }), key);
    assert.deepEqual(readdirSync(dataDir), ['secrets.key']);
    assert.equal(statSync(join(dataDir, 'secrets.key')).mode & 0o777, 0o600);
    assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  });

  it('is that of the setting, in either spelling', () => {
    const key = randomBytes(32);
    for (const text of [key.toString('hex'), key.toString('base64'), key.toString('base64url')]) {
      const config = readConfig({ ...SERVERS, SECRETS_KEY: text, DATA_DIR: folder });
      assert.deepEqual(readSecretsKey(config), key, text);
    }
  });

  it('is refused when it is no key', () => {
    assert.throws(() => readConfig({ ...SERVERS, SECRETS_KEY: 'secret' }), /SECRETS_KEY: must be 32 bytes/);
    writeFileSync(join(folder, 'secrets.key'), 'half of');
    assert.throws(() => readSecretsKey({ secretsKey: undefined, dataDir: folder }), /must hold 32 bytes/);
  });
});
