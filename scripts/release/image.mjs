import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bringUpInfrastructure } from '../infrastructure.mjs';
import { readCompose } from '../support/compose-text.mjs';
import { buildRootFolder } from '../support/dockerfile.mjs';
import { freePort } from '../support/ports.mjs';
import { stopOrder } from '../support/processes.mjs';
import { useClient } from './client.mjs';

const START_MS = 60_000;

/**
 * Builds the files of the image, and starts its processes with the environment and the commands that compose.yml gives them. The
 * servers, the folders and the port are local.
 */
export async function checkImage({ root, folder, guard, log, client, compose }) {
  const image = buildRootFolder(root, join(folder, 'image'), log);
  for (const text of image.leftOut) log(`  left out, for it changes the system: ${text}`);
  const { services } = readCompose(readFileSync(compose, 'utf8')).file;
  const servers = await bringUpInfrastructure({ throwaway: true, log, guard });
  const port = String(await freePort());
  const folders = prepare(image.app, folder, services.prepare.command, servers);
  const contextOf = (name) => ({ cwd: image.app, env: { ...environmentOf(services[name], folders), PORT: port } });
  run(services.migrate.command, contextOf('migrate'));
  const url = `http://127.0.0.1:${port}`;
  const api = guardedProcess(guard, image.command, { ...contextOf('api'), order: stopOrder.api });
  const worker = guardedProcess(guard, services.worker.command, { ...contextOf('worker'), order: stopOrder.worker });
  for (const name of ['api', 'worker'])
    await untilHealthy(services[name].healthcheck.test, contextOf(name), api, worker);
  useClient(client, url);
  for (const started of [api, worker]) await started.stop();
  run(['node', 'dist/src/admin/index.js', 'verify'], contextOf('migrate'));
}

/** Makes the secrets as the service `prepare` does, and replaces the addresses of the servers by local ones. */
function prepare(app, folder, command, { mysqlUrl, redisUrl }) {
  const prepared = join(folder, 'prepared');
  const [program, script] = command;
  for (let times = 0; times < 2; times += 1) run([program, script, prepared], { cwd: app, env: process.env });
  if (!existsSync(join(prepared, 'proxy/Caddyfile'))) throw new Error('the Caddyfile was not put in its place');
  for (const [name, url] of [
    ['mysql-url', mysqlUrl],
    ['redis-url', redisUrl],
  ]) {
    const file = join(prepared, 'platform', name);
    chmodSync(file, 0o600);
    writeFileSync(file, url);
  }
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  return { '/secrets': join(prepared, 'platform'), '/data': data, '/tmp/alive': join(folder, 'alive') };
}

function environmentOf({ environment }, folders) {
  const mapped = (value) => {
    const place = Object.keys(folders).find((each) => value === each || value.startsWith(`${each}/`));
    return place ? folders[place] + value.slice(place.length) : value;
  };
  const given = Object.entries(environment).map(([name, value]) => [name, mapped(value)]);
  return { PATH: process.env.PATH, NODE_ENV: 'production', ...Object.fromEntries(given), SHUTDOWN_DELAY_MS: '0' };
}

function run([program, ...args], options) {
  execFileSync(program, args, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 });
}

/** `stop` throws unless the process ends by itself, with 0. */
function guardedProcess(guard, [program, ...args], options) {
  const child = guard.spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'], waitMs: 30_000 });
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      const ended = once(child, 'exit');
      await guard.stop(child);
      const [code, signal] = await ended;
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code ?? signal}`);
    },
  };
}

async function untilHealthy([, program, ...args], options, ...processes) {
  const end = Date.now() + START_MS;
  while (spawnSync(program, args, { ...options, stdio: 'ignore', timeout: 10_000 }).status !== 0) {
    if (processes.some((each) => each.hasEnded())) throw new Error('a process has ended: see above');
    if (Date.now() > end) throw new Error(`${args.join(' ')} does not succeed within ${START_MS / 1000} s`);
    await sleep(250);
  }
}
