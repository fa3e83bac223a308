import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { aptInstall, findBinary, isDockerReady, mayInstall } from './support/binaries.mjs';
import { composeInstance } from './support/compose-instance.mjs';
import { Guard } from './support/guard.mjs';
import { startInstance } from './support/instance.mjs';
import { mysqlInstance } from './support/mysql-instance.mjs';
import { isRunning, stopAll } from './support/processes.mjs';
import { redisInstance } from './support/redis-instance.mjs';

/** Linux keeps this folder in memory. */
const inMemory = '/dev/shm';
const roomInMemory = 8 * 2 ** 30;

const parts = {
  mysql: { variable: 'MYSQL_URL', binaries: ['mariadbd', 'mysqld'], packages: 'mariadb-server', make: mysqlInstance },
  redis: {
    variable: 'REDIS_URL',
    binaries: ['redis-server', 'valkey-server'],
    packages: 'redis-server',
    make: redisInstance,
  },
};

/** The message names the missing program and the remedy. */
export class InfrastructureMissing extends Error {}

/**
 * MySQL and Redis, ready to use: the given ones (MYSQL_URL, REDIS_URL), otherwise private instances under `dataDir`, or
 * in a temporary folder if `throwaway`. Started instances are stopped by `stop()`, or by the guard's watchdog.
 */
export async function bringUpInfrastructure({ dataDir, throwaway = false, env = process.env, log, guard }) {
  const ownGuard = guard ?? new Guard();
  const missing = Object.keys(parts).filter((name) => !env[parts[name].variable]);
  const running = [];
  const urls = Object.fromEntries(Object.keys(parts).map((name) => [name, env[parts[name].variable]]));
  const stop = async () => {
    for (const instance of running.reverse()) await instance.stop();
    if (!guard) await ownGuard.close();
  };
  try {
    if (missing.length > 0) {
      const folder = throwaway ? throwawayFolder(ownGuard) : await ownFolder(dataDir, ownGuard, log);
      installMissing(missing, log);
      // MySQL first, because it is stopped last.
      for (const name of missing) {
        const instance = await bringUp(name, { folder, throwaway, guard: ownGuard, log });
        running.push(instance);
        urls[name] = instance.url;
        // For `npm run admin`.
        if (!throwaway) settingsIn(folder).set(`${name}Url`, instance.url);
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    mysqlUrl: urls.mysql,
    redisUrl: urls.redis,
    privateInstances: missing.length === Object.keys(parts).length,
    guard: ownGuard,
    stop,
  };
}

function bringUp(name, { folder, throwaway, guard, log }) {
  const settings = settingsIn(folder);
  if (!findBinary(...parts[name].binaries)) return composeInstance({ name, settings, throwaway, guard, log });
  const instance = parts[name].make({ folder, throwaway, password: settings.password });
  return startInstance({ instance, settings, portName: `${name}Port`, guard, log });
}

/** Installs MySQL and Redis if they are missing. Docker is no substitute for processes that a test kills. */
export function installServers(log) {
  installMissing(Object.keys(parts), log, false);
}

function installMissing(names, log, isDockerEnough = true) {
  const absent = () => names.filter((name) => !findBinary(...parts[name].binaries));
  if (absent().length > 0 && mayInstall()) {
    aptInstall(
      absent().map((name) => parts[name].packages),
      log,
    );
  }
  if (absent().length === 0 || (isDockerEnough && isDockerReady())) return;
  const packages = absent().map((name) => parts[name].packages);
  const variables = absent().map((name) => parts[name].variable);
  throw new InfrastructureMissing(
    `Missing: ${absent().join(' and ')}. Either install:  sudo apt-get install ${packages.join(' ')}\n` +
      `or set the address:  export ${variables.map((variable) => `${variable}=…`).join(' ')}`,
  );
}

/** In memory if there is enough: nothing of it is kept, and on a disk MySQL would wait for each created table. */
function throwawayFolder(guard) {
  const folder = mkdtempSync(join(hasRoomInMemory() ? inMemory : tmpdir(), 'sensors-'));
  guard.removeAtEnd(folder);
  return folder;
}

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return Math.min(bavail * bsize, freemem()) > roomInMemory;
  } catch {
    return false; // another system has none
  }
}

/** The data folder, after the processes that an earlier start left running in it have ended. */
async function ownFolder(dataDir, guard, log) {
  const folder = resolve(dataDir ?? '.data');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700); // an existing one may hold passwords and mails
  const record = join(folder, 'processes.json');
  const earlier = readJson(record);
  if (earlier) {
    if (isRunning(earlier.owner) && earlier.owner.pid !== process.pid) {
      throw new InfrastructureMissing(`The platform is already running on ${folder} (process ${earlier.owner.pid}).`);
    }
    const left = earlier.processes.filter(isRunning);
    if (left.length > 0) log(`stopping ${left.length} processes that an earlier start left running`);
    await stopAll(left);
  }
  guard.recordIn(record);
  return folder;
}

/** Ports and password, chosen at the first start. `set` stores a change for the next start. */
function settingsIn(folder) {
  const file = join(folder, 'instances.json');
  const values = readJson(file) ?? { password: randomBytes(18).toString('hex') };
  const write = () => writeFileSync(file, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 });
  if (!existsSync(file)) write();
  return {
    folder,
    password: values.password,
    get: (name) => values[name],
    set: (name, value) => {
      values[name] = value;
      write();
    },
  };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // missing, or incomplete after a power failure
  }
}
