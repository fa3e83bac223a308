import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPrivateInstances } from '../../../src/admin/private-instances';
import { readConfig, settingNames } from '../../../src/platform/config';
import { SECRET_SETTINGS } from '../../../src/platform/secret-files';
import { readPage } from '../../support/markdown';

describe('secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sensors-secrets-'));
  after(() => rmSync(folder, { recursive: true }));
  const fileOf = (text: string) => {
    const file = join(folder, `file-${text.length}`);
    writeFileSync(file, text);
    return file;
  };
  const servers = { MYSQL_URL: 'mysql://root@localhost/sensors', REDIS_URL: 'redis://localhost' };

  it('are read without the line end that editors add', () => {
    const config = readConfig({
      MYSQL_URL_FILE: fileOf('mysql://sensors:secret@db/sensors\n'),
      REDIS_URL_FILE: fileOf(' redis://:secret@cache\r\n'),
      METRICS_TOKEN_FILE: fileOf('a-token-of-20-letters\n'),
    });
    assert.equal(config.mysqlUrl, 'mysql://sensors:secret@db/sensors');
    assert.equal(config.redisUrl, 'redis://:secret@cache');
    assert.equal(config.metricsToken, 'a-token-of-20-letters');
  });

  it('give way to the variable itself, whose file need not exist', () => {
    const config = readConfig({ ...servers, MYSQL_URL_FILE: join(folder, 'none'), REDIS_URL_FILE: '' });
    assert.equal(config.mysqlUrl, servers.MYSQL_URL);
  });

  it('are a mistake each that names the file, and not the secret, if they are missing, empty or wrong', () => {
    const missing = join(folder, 'missing');
    const given = {
      REDIS_URL: servers.REDIS_URL,
      MYSQL_URL_FILE: missing,
      METRICS_TOKEN_FILE: fileOf(' \n'),
      BOARD_PASSWORD_FILE: fileOf('short'),
    };
    assert.throws(
      () => readConfig(given),
      ({ message }: Error) => {
        const lines = message.split('\n').slice(1);
        assert.deepEqual(lines, [
          `  MYSQL_URL_FILE: ${missing} cannot be read (ENOENT)`,
          `  METRICS_TOKEN_FILE: ${given.METRICS_TOKEN_FILE} is empty`,
          '  BOARD_PASSWORD: must have at least 8 characters',
        ]);
        return true;
      },
    );
  });

  it('count as servers that are named, on the command line for operators', () => {
    const file = fileOf('{"mysqlUrl":"own-m","redisUrl":"own-r"}');
    const environment = { MYSQL_URL_FILE: '/secrets/mysql-url', REDIS_URL_FILE: '/secrets/redis-url' };
    assert.deepEqual(withPrivateInstances(environment, file), environment);
    const half = { MYSQL_URL_FILE: '/secrets/mysql-url' };
    assert.deepEqual(withPrivateInstances(half, file), { ...half, REDIS_URL: 'own-r' });
  });

  it('exist for all settings that hold a secret, and the guide and the chart name the same ones', () => {
    const secret = settingNames.filter((name) => /(_URL|_KEY|_TOKEN|PASSWORD|_SECRET|_CODE)$/.test(name));
    const known = secret.filter((name) => !['PUBLIC_URL', 'MAP_TILES_URL'].includes(name)).sort();
    assert.deepEqual([...SECRET_SETTINGS].sort(), known);
    const [, section = ''] = /^## Secrets from files\n([\s\S]*?)^## /m.exec(readPage('docs/operate/settings.md')) ?? [];
    const named = [...section.matchAll(/`([A-Z_]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => known.includes(name));
    assert.deepEqual([...new Set(named)].sort(), known);
    const { properties } = JSON.parse(readPage('deploy/chart/values.schema.json'));
    assert.deepEqual(properties.settings.propertyNames.not.enum.toSorted(), known);
  });
});
