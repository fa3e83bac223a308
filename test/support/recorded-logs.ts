import type { Platform } from './platform';

/** What `work` returns, and the lines that the platform logs meanwhile, of every level. */
export async function recordedLogs<T>(
  { container: { logger } }: Platform,
  work: () => Promise<T>,
): Promise<{ result: T; logged: string[] }> {
  const logged: string[] = [];
  const levels = { debug: logger.debug, info: logger.info, warn: logger.warn, error: logger.error };
  const record = (...entry: unknown[]) => logged.push(JSON.stringify(entry));
  Object.assign(logger, { debug: record, info: record, warn: record, error: record });
  try {
    return { result: await work(), logged };
  } finally {
    Object.assign(logger, levels);
  }
}
