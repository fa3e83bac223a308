import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../support/ports';
import { until } from '../support/until';

const FILE = readFileSync(join(__dirname, '../../docker-compose.yml'), 'utf8');
const PASSWORDS = { MYSQL_PASSWORD: 'of-the-user', MYSQL_ROOT_PASSWORD: 'of-root', REDIS_PASSWORD: 'of-redis' };

interface Service {
  command?: string[];
  user?: string;
  ports?: string[];
  environment: Record<string, string>;
}

/** The services as compose starts them, and the variables whose lack it refuses; variables may be parts of others' defaults. */
function readServices(variables: Record<string, string>) {
  const refused = new Set<string>();
  let text = FILE.replace(/^ *#.*$/gm, '');
  const replace = (_: string, name: string, how = '', instead = '') => {
    const value = variables[name];
    if (value) return value;
    if (how === ':?') refused.add(name);
    return how === ':-' ? instead : '';
  };
  // The innermost first: none that has another one in it.
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/(?<!\$)\$\{(\w+)(:[-?])?([^${}]*)\}/g, replace);
  }
  const { services }: { services: Record<string, Service> } = parse(text, { merge: true });
  return { services, refused: [...refused].sort() };
}

describe('docker compose', () => {
  it('refuses to start without a password for MySQL, its root and Redis, and needs no other setting', () => {
    assert.deepEqual(readServices({}).refused, ['MYSQL_PASSWORD', 'MYSQL_ROOT_PASSWORD', 'REDIS_PASSWORD']);
    const { services, refused } = readServices(PASSWORDS);
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
    const { services } = readServices(PASSWORDS);
    const published = Object.entries(services).filter(([, { ports }]) => ports);
    assert.deepEqual(
      published.map(([name]) => name),
      ['proxy'],
    );
  });

  it('starts a Redis that answers nobody without the password, which is not among its arguments', async function () {
    if (spawnSync('redis-server', ['--version']).error) return this.skip();
    const { command = [] } = readServices(PASSWORDS).services.redis ?? {};
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    const port = String(await freePort());
    const own = `redis-server - --port ${port} --bind 127.0.0.1 --dir ${folder}`;
    const [shell = '', ...args] = command.map((text) => text.replaceAll('$$', '$').replace('redis-server -', own));
    const server = spawn(shell, args, { env: { PATH: process.env.PATH, ...PASSWORDS }, stdio: 'ignore' });
    const ping = (password = '') => {
      const env = { PATH: process.env.PATH, REDISCLI_AUTH: password };
      return spawnSync('redis-cli', ['-p', port, 'ping'], { env, encoding: 'utf8', timeout: 10_000 }).stdout.trim();
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
  });
});
