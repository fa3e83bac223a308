import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig, settingNames } from '../../../src/platform/config';
import { readPage, tablesIn } from '../../support/markdown';

/** What docker compose decides itself, because it is so inside of every container. */
const FIXED_BY_COMPOSE = ['HOST', 'PORT', 'DATA_DIR', 'ALIVE_FILE'];
/** Where docker compose has another default than the processes. */
const OTHER_IN_COMPOSE = ['PUBLIC_URL', 'MYSQL_URL', 'REDIS_URL', 'TRUST_PROXY'];
const NEEDED = { MYSQL_URL: 'mysql://root@localhost/sensors', REDIS_URL: 'redis://localhost' };

interface ComposeFile {
  services: Record<
    string,
    {
      image: string;
      command?: string[];
      environment: Record<string, string>;
      healthcheck?: unknown;
      read_only?: boolean;
    }
  >;
}

function readCompose(): { file: ComposeFile; text: string } {
  const text = readPage('docker-compose.yml');
  return { file: parse(text, { merge: true }), text };
}

/** The names in `.env.example`, with their defaults, before and after the line that begins what is for compose alone. */
function readExample(): { settings: Map<string, string>; forCompose: Map<string, string>; lines: string[] } {
  const [first = '', second = ''] = readPage('.env.example').split('# For docker compose alone:');
  const namesIn = (part: string) =>
    new Map([...part.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
  return { settings: namesIn(first), forCompose: namesIn(second), lines: `${first}${second}`.split('\n') };
}

describe('the settings', () => {
  it('are those of docs/operate/settings.md, of .env.example and of docker compose, no more and no fewer', () => {
    const names = [...settingNames].sort();
    const rows = tablesIn(readPage('docs/operate/settings.md')).flatMap(({ rows }) =>
      rows.filter((row) => 'setting' in row),
    );
    const onPage = rows.flatMap((row) => [...(row.setting ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
    assert.deepEqual(
      onPage.filter((name) => name !== 'WORKERS').sort(), // that of `npm start`, which starts the processes
      names,
    );
    assert.deepEqual([...readExample().settings.keys()].sort(), names);
    const { services } = readCompose().file;
    for (const name of ['api', 'worker', 'migrate'])
      assert.deepEqual(Object.keys(services[name]?.environment ?? {}).sort(), names);
  });

  it('have a line of explanation each in .env.example, and the defaults of the processes there and in compose', () => {
    const { settings, forCompose, lines } = readExample();
    lines.forEach((line, at) => {
      if (/^#[A-Z]/.test(line)) assert.match(lines[at - 1] ?? '', /^#( \S|[A-Z])/, `${line} is not explained`);
    });
    const { services } = readCompose().file;
    const passed = services.api?.environment ?? {};
    const byDefault = readConfig(NEEDED);
    for (const name of settingNames) {
      const written = settings.get(name) ?? '';
      if (!(name in NEEDED) && name !== 'PUBLIC_URL') {
        assert.deepEqual(readConfig({ ...NEEDED, [name]: written }), byDefault, `${name} in .env.example`);
      }
      if (FIXED_BY_COMPOSE.includes(name)) continue;
      const [, variable, fallback = ''] = /^\$\{(\w+):-(.*)\}$/.exec(passed[name] ?? '') ?? [];
      assert.equal(variable, name, `compose passes ${name}`);
      if (OTHER_IN_COMPOSE.includes(name)) continue;
      assert.deepEqual(readConfig({ ...NEEDED, [name]: fallback }), byDefault, `${name} in compose`);
    }
    const variables = [...readCompose().text.matchAll(/\$\{(\w+):[-?]/g)].map(([, name = '']) => name);
    const own = new Set(variables.filter((name) => !settingNames.includes(name)));
    assert.deepEqual([...forCompose.keys()].sort(), [...own].sort());
  });

  it('lists every mistake at once, and takes empty variables for ones that are not set', () => {
    assert.throws(
      () => readConfig({ MYSQL_URL: 'http://x', REDIS_URL: '', PORT: '0', LOG_LEVEL: 'loud' }),
      ({ message }: Error) =>
        ['MYSQL_URL', 'REDIS_URL: is required', 'PORT', 'LOG_LEVEL'].every((part) => message.includes(part)),
    );
  });
});

describe('the deployment', () => {
  it('pins the version of every image, gives every service a health check, and lets ours write nowhere else', () => {
    const { services } = readCompose().file;
    for (const [name, service] of Object.entries(services)) {
      assert.match(service.image, /:(\d+\.\d+\.\d+|\$\{VERSION:-\d+\.\d+\.\d+\})$/, name);
      if (name !== 'migrate') assert.ok(service.healthcheck, name);
      if (name !== 'mysql') assert.equal(service.read_only, true, name);
    }
    const bases = [...readPage('Dockerfile').matchAll(/^FROM node:(\d+)\.\d+\.\d+-/gm)].map(([, major]) =>
      Number(major),
    );
    assert.equal(bases.length, 2);
    assert.ok(bases.every((major) => major >= 22 && major === bases[0]));
    assert.match(readPage('Dockerfile'), /^USER node$/m);
    assert.match(JSON.parse(readPage('package.json')).engines.node, /^\^20\.19 \|\| >=22\.12$/);
  });

  it('starts both kinds of process by scripts/launch.sh', () => {
    const { scripts } = JSON.parse(readPage('package.json'));
    const { api, worker } = readCompose().file.services;
    assert.equal(api?.command, undefined, 'the image has the command');
    const [, image = ''] = /^CMD (.*)$/m.exec(readPage('Dockerfile')) ?? [];
    assert.match(readPage('Dockerfile'), /^COPY --from=build \/app\/scripts\/launch\.sh scripts\/$/m);
    const unit = (kind: string) => /^ExecStart=.*$/m.exec(readPage(`deploy/systemd/sensor-${kind}@.service`))?.[0];
    const ways = {
      api: [scripts['start:api'], unit('api'), JSON.parse(image).join(' ')],
      worker: [scripts['start:worker'], unit('worker'), worker?.command?.join(' ')],
    };
    for (const [kind, commands] of Object.entries(ways)) {
      for (const command of commands) assert.ok(String(command).endsWith(`sh scripts/launch.sh ${kind}`), command);
    }
  });

  it('has units that systemd accepts, and calls well closed', function () {
    const analyze = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
    if (analyze.error) return this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'units-'));
    try {
      const instances = { 'sensor-api@': 'sensor-api@8080', 'sensor-worker@': 'sensor-worker@1' };
      const files = Object.entries(instances).map(([unit, instance]) => {
        const text = readPage(`deploy/systemd/${unit}.service`);
        assert.match(text, /^EnvironmentFile=/m);
        const file = join(folder, `${instance}.service`);
        writeFileSync(file, text);
        return file;
      });
      execFileSync('systemd-analyze', ['verify', '--man=no', ...files], { stdio: ['ignore', 'ignore', 'pipe'] });
      if (Number(/^systemd (\d+)/.exec(analyze.stdout)?.[1]) < 250) return; // knows no --offline
      // An exposure of 2.0 of 10, in tenths.
      const limits = ['security', '--no-pager', '--offline=true', '--threshold=20'];
      for (const file of files) execFileSync('systemd-analyze', [...limits, file], { stdio: 'pipe' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
