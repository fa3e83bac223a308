type Stop = () => Promise<void>;

const STOP_LIMIT_MS = 25_000;

/**
 * Runs a process from start to SIGTERM or SIGINT. A failed start prints one clear text and exits with 1; a stop that
 * takes over 25 seconds is cut off, which is safe: whatever was under way is a row and will be taken up again.
 */
export async function runUntilSignal(
  name: string,
  start: (environment: NodeJS.ProcessEnv) => Promise<Stop>,
): Promise<void> {
  let stop: Stop;
  try {
    stop = await start(process.env);
  } catch (error) {
    process.stderr.write(`${name} cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
  let stopping = false;
  const onSignal = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${name} did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
