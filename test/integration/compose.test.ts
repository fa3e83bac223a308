import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCompose } from '../support/compose';
import { freePort } from '../support/ports';
import { until } from '../support/until';

const PASSWORDS = { MYSQL_PASSWORD: 'of-the-user', MYSQL_ROOT_PASSWORD: 'of-root', REDIS_PASSWORD: 'of-redis' };
const readServices = (variables: Record<string, string> = PASSWORDS) => readCompose('docker-compose.yml', variables);

/** Starts the server that a service has, and checks that it answers nobody without the password, also not the process list. */
async function checkServer(command: readonly string[], env: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'compose-'));
  const port = String(await freePort());
  const own = `redis-server - --port ${port} --bind 127.0.0.1 --dir ${folder}`;
  const [shell = '', ...args] = command.map((text) =>
    text.replaceAll('$$', '$').replace(/(redis|valkey)-server -(?= )/, own),
  );
  const server = spawn(shell, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' });
  const ping = (password = '') => {
    const given = { PATH: process.env.PATH, REDISCLI_AUTH: password };
    return spawnSync('redis-cli', ['-p', port, 'ping'], {
      env: given,
      encoding: 'utf8',
      timeout: 10_000,
    }).stdout.trim();
  };
  try {
    await until('it answers', () => ping(PASSWORDS.REDIS_PASSWORD) === 'PONG');
    assert.match(ping(), /NOAUTH/);
    const shown = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8');
    assert.match(shown, /redis-server/, 'the shell has become the server, so that signals reach it');
    assert.doesNotMatch(shown, /of-redis/);
  } finally {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('docker compose', () => {
  it('refuses to start without a password for MySQL, its root and Redis, and needs no other setting', () => {
    assert.deepEqual(readServices({}).refused, ['MYSQL_PASSWORD', 'MYSQL_ROOT_PASSWORD', 'REDIS_PASSWORD']);
    const { services, refused } = readServices();
    assert.deepEqual(refused, []);
    for (const name of ['api', 'worker', 'migrate']) {
      const { MYSQL_URL, REDIS_URL, ...others } = services[name]?.environment ?? {};
      assert.equal(MYSQL_URL, 'mysql://sensors:of-the-user@mysql:3306/sensors');
      assert.equal(REDIS_URL, 'redis://:of-redis@redis:6379');
      assert.doesNotMatch(JSON.stringify(others), /of-(the-user|root|redis)/);
    }
    const { MYSQL_PASSWORD, MYSQL_ROOT_PASSWORD } = services.mysql?.environment ?? {};
    assert.deepEqual([MYSQL_PASSWORD, MYSQL_ROOT_PASSWORD], ['of-the-user', 'of-root']);
  });

  it('publishes the proxy alone', () => {
    const published = Object.entries(readServices().services).filter(([, { ports }]) => ports);
    assert.deepEqual(
      published.map(([name]) => name),
      ['proxy'],
    );
  });

  it('starts a Redis that answers nobody without the password, which is not among its arguments', async function () {
    if (spawnSync('redis-server', ['--version']).error) return this.skip();
    await checkServer(readServices().services.redis?.command ?? [], PASSWORDS);
  });
});

describe('the compose file of a release', () => {
  const { services } = readCompose('deploy/compose.yml');

  it('starts a Valkey that answers nobody without the password of its file', async function () {
    if (spawnSync('redis-server', ['--version']).error) return this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'compose-secrets-'));
    writeFileSync(join(folder, 'password'), PASSWORDS.REDIS_PASSWORD);
    const command = services.valkey?.command?.map((text) => text.replaceAll('/secrets', folder)) ?? [];
    try {
      await checkServer(command, {});
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('gives MariaDB only options that it knows', function () {
    if (spawnSync('mariadbd', ['--version']).error) return this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'compose-mariadb-'));
    mkdirSync(join(folder, 'data'));
    const options = services.mariadb?.command ?? [];
    const known = (given: readonly string[]) =>
      spawnSync('mariadbd', ['--no-defaults', `--datadir=${folder}/data`, ...given, '--help', '--verbose'], {
        encoding: 'utf8',
      });
    try {
      assert.ok(options.length > 0);
      const { status, stderr } = known(options);
      assert.deepEqual([status, /unknown (option|variable)/.exec(stderr)?.[0]], [0, undefined], stderr);
      assert.match(known(['--innodb-log-size=1']).stderr, /unknown/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
