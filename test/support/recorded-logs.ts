import type { Platform } from './platform';

/** What `work` returns, and the lines that the platform logs meanwhile, of every level. */
export async function recordedLogs<T>(
  { container: { logger } }: Platform,
  work: () => Promise<T>,
): Promise<{ result: T; logged: string[] }> {
  const logged: string[] = [];
  const { debug, info, warn, error, isLevelEnabled } = logger;
  const record = (...entry: unknown[]) => logged.push(JSON.stringify(entry));
  Object.assign(logger, { debug: record, info: record, warn: record, error: record, isLevelEnabled: () => true });
  try {
    return { result: await work(), logged };
  } finally {
    Object.assign(logger, { debug, info, warn, error, isLevelEnabled });
  }
}
