// The platform on several machines' worth of servers: every process uses a different Galera node as its MySQL.
import { randomBytes } from 'node:crypto';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { galeraPorts, startGalera } from '../support/galera.mjs';
import { launch } from '../support/launch.mjs';
import { freePort } from '../support/ports.mjs';
import { startRedisCluster } from '../support/redis-cluster.mjs';
import { PACKED_AT_ONCE } from '../torture/packing.mjs';
import { Supervised } from './supervised.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readyWithinMs = 60_000;
/** How long a process may take to end after SIGTERM, with a margin for a busy machine. */
const endsWithinMs = 10_000;

/** Starts servers, then all processes at the same moment, on an empty database, after the build. */
export async function startPlatform({ folder, guard, logFile, log, built, apis, workers }) {
  const password = randomBytes(12).toString('hex');
  const ports = await galeraPorts();
  const [galera, redis] = await Promise.all([
    startGalera({ folder, guard, password, ports }),
    startRedisCluster({ folder, guard, password, avoid: ports }),
    built,
  ]);
  log('three Galera nodes and six of a Redis Cluster are running');
  const output = openSync(logFile, 'a');
  const launcher = (kind, node, port) => () =>
    launch(guard, kind, {
      cwd: root,
      env: {
        ...environment(folder),
        MYSQL_URL: node.url,
        REDIS_URL: redis.url,
        PORT: String(port),
        BOARD_PASSWORD: password,
      },
      stdio: ['ignore', output, 'pipe'],
      waitMs: 10_000,
    });
  const at = (index) => galera[index % galera.length];
  const apiPorts = await Promise.all(Array.from({ length: apis }, freePort));
  const processes = [
    ...apiPorts.map((port, index) => {
      return new Supervised({
        kind: 'api',
        launch: launcher('api', at(index), port),
        log,
        isReady: () => isReady(port),
      });
    }),
    ...Array.from({ length: workers }, (_, index) => {
      return new Supervised({ kind: 'worker', launch: launcher('worker', at(index + 1), 8080), log });
    }),
  ];
  await untilReady(processes, apiPorts, logFile);
  const stop = (kind) =>
    stopAll(
      kind,
      processes.filter((each) => each.kind === kind),
    );
  const urls = { mysqlUrl: galera[0].url, redisUrl: redis.url };
  return { galera, redis, processes, apiPorts, logFile, folder, ...urls, stop };
}

/** The settings that all processes share. */
function environment(folder) {
  return {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATA_DIR: join(folder, 'platform'), // not readable by other users: the servers of the cluster run as a separate user
    DELIVERY_ALLOW_NETWORKS: '127.0.0.0/8',
    SHUTDOWN_DELAY_MS: '0',
    SENSOR_PARTITIONS: '4',
    CHECK_MEMORY: 'on',
    ...PACKED_AT_ONCE,
  };
}

async function untilReady(processes, apiPorts, logFile) {
  const until = Date.now() + readyWithinMs;
  while (!(await Promise.all(apiPorts.map(isReady))).every(Boolean)) {
    if (processes.some(({ hasEnded }) => hasEnded)) throw new Error(`a process ended at the start: see ${logFile}`);
    if (Date.now() > until) throw new Error(`an API process is not ready: see ${logFile}`);
    await sleep(200);
  }
}

async function isReady(port) {
  const signal = AbortSignal.timeout(2_000);
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined);
  return response?.status === 200;
}

/** Asks these processes, all of a kind, to end while all servers run. Returns faults. */
async function stopAll(kind, processes) {
  const inTime = await Promise.all(processes.map((each) => each.stop(endsWithinMs)));
  return {
    [`${kind} processes that did not end in time after SIGTERM`]: inTime.filter((isInTime) => !isInTime).length,
    [`${kind} processes that ended by themselves`]: processes.reduce((sum, { ownEnds }) => sum + ownEnds, 0),
  };
}
