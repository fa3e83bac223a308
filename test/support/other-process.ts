import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../../src/config';
import type { Platform } from './platform';

const ROOT = join(__dirname, '../..');
const CONTAINER = `
require('reflect-metadata');
const { readConfig } = require('./src/config');
const { buildContainer } = require('./src/container');
const { createLogger } = require('./src/logger');
const container = buildContainer(readConfig(process.env), createLogger('silent', 'other'));
`;
const TURN = `${CONTAINER}
const { handleSensorTurn } = require('./workers/sensor-turn.worker');
handleSensorTurn({ partition: Number(process.env.PARTITION) }, container).then(() => container.close());
`;
const LEARN = `${CONTAINER}
const { handleTraining } = require('./workers/training.worker');
handleTraining({ serviceId: Number(process.env.SERVICE) }, container).then(() => container.close());
`;

/** Takes the turn of a sensor's partition in a process of its own, which shares nothing but MySQL and Redis with this one. */
export async function takeTurnElsewhere({ container: { config } }: Platform, sensorId: string): Promise<void> {
  const env = { ...environmentOf(config), PARTITION: String(Number(sensorId) % config.partitions) };
  await promisify(execFile)(process.execPath, ['-r', './scripts/swc-hook.cjs', '-e', TURN], { cwd: ROOT, env });
}

/** Begins to learn the long ranges of a service in a process of its own, which the caller ends. */
export function startTrainingElsewhere({ container: { config } }: Platform, serviceId: string): ChildProcess {
  const env = { ...environmentOf(config), SERVICE: serviceId };
  return spawn(process.execPath, ['-r', './scripts/swc-hook.cjs', '-e', LEARN], { cwd: ROOT, env, stdio: 'ignore' });
}

function environmentOf({ mysqlUrl, redisUrl, redisPrefix, dataDir }: Config) {
  return { MYSQL_URL: mysqlUrl, REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix, DATA_DIR: dataDir };
}
