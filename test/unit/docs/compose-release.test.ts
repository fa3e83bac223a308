import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { settingNames } from '../../../src/platform/config';
import { SECRET_SETTINGS } from '../../../src/platform/secret-files';
import { readCompose } from '../../support/compose';
import { readPage } from '../../support/markdown';

const ROOT = join(__dirname, '../../..');
const FILE = 'deploy/compose.yml';
/** The schema of compose, as its linter has it; without its name for draft 7, which Ajv spells in another way. */
const { $schema, ...SCHEMA } = JSON.parse(readPage('node_modules/dclint/schemas/compose.schema.json'));
/** Services that end: others wait for their success. */
const STEPS = ['prepare', 'migrate'];
const { services, volumes, refused } = readCompose(FILE);
const entries = Object.entries(services);

describe('the compose file of a release', () => {
  it('has a fixed version of every image, and a limit of memory for every service', () => {
    for (const [name, { image, build, mem_limit }] of entries) {
      assert.match(image, /^(ghcr\.io\/OWNER\/sensor-data-platform:VERSION|[\w/]+:\d+\.\d+\.\d+)$/, name);
      assert.equal(build, undefined, name);
      assert.match(mem_limit ?? '', /^\d+[mg]$/, name);
    }
  });

  it('restarts every service that has not done its work, and asks it whether it is healthy', () => {
    for (const [name, { restart, healthcheck }] of entries) {
      assert.equal(restart, STEPS.includes(name) ? 'no' : 'unless-stopped', name);
      assert.equal(healthcheck !== undefined, !STEPS.includes(name), name);
    }
    for (const [name, { depends_on = {} }] of entries) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const wanted = STEPS.includes(other) ? 'service_completed_successfully' : 'service_healthy';
        assert.equal(condition, wanted, `${name} waits for ${other}`);
      }
    }
  });

  it('publishes ports 80 and 443 of the proxy, and nothing else', () => {
    const published = entries.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    assert.deepEqual(published, ['proxy 80:80', 'proxy 443:443']);
  });

  it('holds no secret, needs none to start, and lets each service read only its own', () => {
    assert.deepEqual(refused, []);
    for (const [name, { environment = {} }] of entries) {
      for (const [variable, value] of Object.entries(environment)) {
        if (/PASSWORD|KEY|TOKEN|SECRET|MYSQL_URL|REDIS_URL/.test(variable)) {
          assert.match(`${variable} ${value}`, /^\w+_FILE \/secrets\/[\w-]+$/, name);
        }
      }
    }
    assert.doesNotMatch(readPage(FILE), /:\/\/\w*:[^@\s]+@|PASSWORD: (?!\$)\S/);
    const readers = entries.map(([name, { volumes = [] }]) => [name, volumes.filter((each) => /-secrets:/.test(each))]);
    assert.deepEqual(Object.fromEntries(readers.filter(([name]) => name !== 'prepare')), {
      mariadb: ['database-secrets:/secrets:ro'],
      valkey: ['cache-secrets:/secrets:ro'],
      proxy: [],
      migrate: ['platform-secrets:/secrets:ro'],
      api: ['platform-secrets:/secrets:ro'],
      worker: ['platform-secrets:/secrets:ro'],
    });
  });

  it('names only settings and volumes that exist, and makes each file that a service reads', () => {
    for (const name of ['api', 'worker', 'migrate']) {
      const variables = Object.keys(services[name]?.environment ?? {}).map((each) =>
        SECRET_SETTINGS.some((secret) => each === `${secret}_FILE`) ? each.replace('_FILE', '') : each,
      );
      for (const variable of variables) assert.ok(settingNames.includes(variable), variable);
    }
    const used = entries.flatMap(([, { volumes = [] }]) => volumes.map((each) => each.split(':')[0] ?? ''));
    assert.deepEqual([...new Set(used)].sort(), Object.keys(volumes).sort());
    const folder = mkdtempSync(join(tmpdir(), 'sensors-prepare-'));
    try {
      execFileSync(process.execPath, [join(ROOT, 'scripts/prepare.mjs'), folder]);
      const madeFor = (volume: string) =>
        services.prepare?.volumes?.find((each) => each.startsWith(`${volume}:`))?.replace(/^.*:\/prepared/, folder);
      for (const [name, { environment = {}, volumes = [], command = [], healthcheck }] of entries) {
        const [secrets = ''] = volumes.filter((each) => each.includes(':/secrets'));
        const text = JSON.stringify([environment, command, healthcheck]);
        for (const [, file = ''] of text.matchAll(/\/secrets\/([\w-]+)/g)) {
          assert.ok(statSync(join(madeFor(secrets.split(':')[0] ?? '') ?? '', file)).size > 0, `${name} reads ${file}`);
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is accepted by the schema of compose, as is docker-compose.yml, and mistakes are not', () => {
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(SCHEMA);
    for (const file of [FILE, 'docker-compose.yml']) {
      assert.ok(isValid(parse(readPage(file), { merge: true })), `${file}: ${JSON.stringify(isValid.errors)}`);
    }
    const wrong = (change: (text: string) => string) => isValid(parse(change(readPage(FILE)), { merge: true }));
    assert.ok(!wrong((text) => text.replaceAll('healthcheck:', 'healthchek:')));
    assert.ok(!wrong((text) => text.replaceAll('service_healthy', 'healthy')));
  });
});

describe('the preparation of a first start', () => {
  it('makes long random secrets that fit together, and keeps them afterwards', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sensors-prepare-'));
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const prepare = () => execFileSync(process.execPath, [join(ROOT, 'scripts/prepare.mjs'), folder]);
    try {
      prepare();
      const [password, cache] = [read('database/password'), read('cache/password')];
      assert.match(password, /^[0-9a-f]{48}$/);
      assert.equal(read('platform/mysql-url'), `mysql://sensors:${password}@mariadb:3306/sensors`);
      assert.equal(read('platform/redis-url'), `redis://:${cache}@valkey:6379`);
      const names = ['database/root-password', 'platform/secrets-key', 'platform/board-password'];
      const made = [password, cache, ...names.map(read)];
      assert.equal(new Set(made).size, made.length);
      assert.equal(read('proxy/Caddyfile'), readPage('deploy/Caddyfile'));
      writeFileSync(join(folder, 'proxy/Caddyfile'), 'of the release before');
      prepare();
      assert.deepEqual([read('database/password'), read('cache/password'), ...names.map(read)], made);
      assert.equal(read('proxy/Caddyfile'), readPage('deploy/Caddyfile'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names its argument if it has none', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/prepare.mjs')], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [64, 'usage: node scripts/prepare.mjs FOLDER\n']);
  });
});
