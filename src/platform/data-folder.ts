import { chmod, lstat, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from './clock';
import type { Logger } from './logger';

const DAY_MS = 86_400_000;
/** Mails contain login links and texts of users. */
const MAILS_KEPT_MS = 7 * DAY_MS;
const LOOK_EVERY_MS = 3_600_000;
const OTHERS = 0o077;
/** Mode of a world-writable folder, `/tmp` for instance, whose permissions are not ours to change. */
const SHARED = 0o1000;
/** Time without colons and points, then an id. A draft's name begins with a dot. */
const MAIL = /^\.?(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-.*\.eml$/;

/** Only the process's user may read `DATA_DIR`. Mails are deleted after a week. */
export class DataFolder {
  private readonly outbox: string;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.outbox = join(path, 'outbox');
  }

  /** Revokes other users' access, and deletes old mails now and every hour. Never fails. */
  async open(): Promise<void> {
    await this.attempt(async () => {
      for (const folder of [this.path, this.outbox]) await this.close(folder);
      await closeFile(join(this.path, 'secrets.key'));
    });
    await this.tidy();
    this.timer ??= setInterval(() => void this.tidy(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async close(folder: string): Promise<void> {
    const { mode } = await stat(folder);
    if ((mode & OTHERS) === 0) return;
    if (mode & SHARED)
      return this.logger.warn({ folder }, 'the folder of mails and secrets is one that others write to');
    await chmod(folder, mode & 0o700);
  }

  private tidy(): Promise<void> {
    return this.attempt(async () => {
      for (const name of await readdir(this.outbox)) {
        const file = join(this.outbox, name);
        const isOld = writtenAt(name) < this.clock.now() - MAILS_KEPT_MS;
        await (isOld ? unlink(file) : closeFile(file)).catch(ifThere);
      }
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    await work()
      .catch(ifThere)
      .catch((error: unknown) => {
        this.logger.warn({ folder: this.path, reason: String(error) }, 'others may be able to read mails and secrets');
      });
  }
}

async function closeFile(file: string): Promise<void> {
  const found = await lstat(file);
  if (found.isFile() && (found.mode & OTHERS) !== 0) await chmod(file, found.mode & 0o700);
}

function writtenAt(name: string): number {
  const [, hour, minute, second, ms] = MAIL.exec(name) ?? [];
  return hour === undefined ? Number.POSITIVE_INFINITY : Date.parse(`${hour}:${minute}:${second}.${ms}Z`);
}

function ifThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
