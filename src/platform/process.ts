import { type Logger, logPrintedWarnings } from './logger';
import { Shutdown } from './shutdown';

interface Running {
  logger: Logger;
  stop(shutdown: Shutdown): Promise<void>;
}

const STOP_LIMIT_MS = 25_000;

/**
 * Runs until SIGTERM or SIGINT. A failed start prints one message and exits with 1. A stop after more than 25 seconds
 * logs what it waits for and exits with 1: unfinished work is a row in MySQL.
 */
export async function runUntilSignal(
  name: string,
  start: (environment: NodeJS.ProcessEnv) => Promise<Running>,
): Promise<void> {
  let running: Running | undefined;
  let isStopping = false;
  const onSignal = () => {
    if (!running) process.exit(0);
    if (isStopping) return;
    isStopping = true;
    const shutdown = new Shutdown(running.logger);
    const cutOff = () => {
      shutdown.cutOff();
      process.exit(1);
    };
    setTimeout(cutOff, STOP_LIMIT_MS).unref();
    running.stop(shutdown).then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${name} did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    running = await start(process.env);
    logPrintedWarnings(running.logger);
  } catch (error) {
    process.stderr.write(`${name} cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
