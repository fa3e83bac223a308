import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Platform } from './platform';

const ROOT = join(__dirname, '../..');
const TURN = `
require('reflect-metadata');
const { readConfig } = require('./src/config');
const { buildContainer } = require('./src/container');
const { createLogger } = require('./src/logger');
const { handleSensorTurn } = require('./workers/sensor-turn.worker');
const container = buildContainer(readConfig(process.env), createLogger('silent', 'other'));
handleSensorTurn({ partition: Number(process.env.PARTITION) }, container).then(() => container.close());
`;

/** Takes the turn of a sensor's partition in a process of its own, which shares nothing but MySQL and Redis with this one. */
export async function takeTurnElsewhere({ container: { config } }: Platform, sensorId: string): Promise<void> {
  const env = {
    MYSQL_URL: config.mysqlUrl,
    REDIS_URL: config.redisUrl,
    REDIS_PREFIX: config.redisPrefix,
    DATA_DIR: config.dataDir,
    PARTITION: String(Number(sensorId) % config.partitions),
  };
  await promisify(execFile)(process.execPath, ['-r', './scripts/swc-hook.cjs', '-e', TURN], { cwd: ROOT, env });
}
