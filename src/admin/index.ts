import 'reflect-metadata';
import { join } from 'node:path';
import { destination } from 'pino';
import { buildContainer, type Container } from '../container';
import { ServerClock } from '../platform/clock';
import { readConfig } from '../platform/config';
import { createLogger } from '../platform/logger';
import { openDatabase, PATIENT_TIMEOUTS } from '../storage';
import { withPrivateInstances } from './private-instances';
import { buildProgram } from './program';

/** One command per process. Answers go to standard output, everything else to standard error. */
async function main(): Promise<void> {
  const environment = withPrivateInstances(process.env, join(process.env.DATA_DIR || '.data', 'instances.json'));
  const logger = createLogger(environment.LOG_LEVEL || 'error', 'admin', destination(2));
  let container: Container | undefined;
  const program = buildProgram({
    readConfig: () => readConfig(environment),
    buildContainer: (config) => {
      container ??= buildContainer(config, logger, new ServerClock(), openDatabase(config.mysqlUrl, PATIENT_TIMEOUTS));
      return container;
    },
    print: (text) => process.stdout.write(`${text}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
  });
  process.exitCode = await program.run(process.argv);
  await container?.close();
  // Data for a pipe is written asynchronously, and an exit would truncate it.
  await new Promise((resolve) => process.stdout.write('', resolve));
}

// The reader of a pipe may stop early, like `head`.
process.stdout.on('error', () => process.exit());

void main().finally(() => process.exit());
