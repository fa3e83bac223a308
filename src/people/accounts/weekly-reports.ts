import type { PoolConnection } from 'mysql2/promise';
import { readerZone } from '../../language/reader-time';
import { nextWeeklyMs, type WeeklyTime, weeksBefore } from '../../language/weekly-time';
import {
  type DeliveryNudge,
  type DeliveryRunner,
  insertReport,
  type MailConsents,
  type WrittenMail,
} from '../../notifications';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { Words } from '../../platform/words/words';
import type { Database } from '../../storage';
import { User } from '../../storage/models/user.model';
import { isPermanent } from '../../storage/mysql-errors';
import { inPoolTransaction, runOn } from '../../storage/transaction';

/** The oldest ones, in random order: so two workers seldom write the same one. The next run takes the others. */
const REPORTS_PER_RUN = 100;
const RUN_MS = 20_000;
/** The least time between two reports. */
const APART_MS = 20 * 3_600_000;

/** Writes about the local week that ends then, in the words and the time zone of its reader. */
export interface WeeklyMails {
  write(reader: { userId: number; timezone: string; words: Words }, endMs: number): Promise<WrittenMail>;
}

interface WeeklyReportParts {
  database: Database;
  mails: WeeklyMails;
  consents: Pick<MailConsents, 'accepts'>;
  runner: Pick<DeliveryRunner, 'start'>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
}

type Reader = Pick<User, 'weeklyReportDay' | 'weeklyReportHour' | 'weeklyReportedMs' | 'timezone'>;

/** When the next report is due; null without one. Not soon after the last one, whatever the user has changed. */
export function nextReportMs(user: Reader, nowMs: number): number | null {
  const time = timeOf(user);
  const fromMs = Math.max(nowMs, (user.weeklyReportedMs ?? 0) + APART_MS);
  return time && nextWeeklyMs(time, readerZone(user.timezone), fromMs);
}

/**
 * One transaction with a locked row writes a report and the time of the next one: so each week has one, whatever process
 * dies and however many workers run.
 */
export class WeeklyReports {
  constructor(private readonly parts: WeeklyReportParts) {}

  async run(): Promise<void> {
    const { database, clock } = this.parts;
    const untilMs = performance.now() + RUN_MS;
    const due = await runOn(database.pool)(
      `SELECT id FROM (SELECT id FROM users WHERE weekly_report_due_ms <= ? ORDER BY weekly_report_due_ms LIMIT ?) due
       ORDER BY RAND()`,
      [clock.now(), REPORTS_PER_RUN],
    );
    for (const { id } of due) {
      const user = await User.findByPk(Number(id));
      if (user) await this.report(user);
      if (performance.now() > untilMs) return;
    }
  }

  private async report(user: User): Promise<void> {
    const { database, runner, clock } = this.parts;
    const [dueMs, nowMs] = [user.weeklyReportDueMs, clock.now()];
    if (dueMs === null || dueMs > nowMs) return; // another worker was first
    const endMs = lastReportMs(user, dueMs, nowMs);
    const mail = await this.write(user, endMs);
    const nudges = await inPoolTransaction(database.pool, (connection) =>
      this.insert(connection, { user, dueMs, endMs, mail }),
    );
    if (nudges.length > 0) await runner.start(nudges);
  }

  /** Undefined if there is nobody to read it. A mail that cannot be written must not prevent the others. */
  private async write(user: User, endMs: number): Promise<WrittenMail | undefined> {
    const { mails, consents, logger } = this.parts;
    const { id, email, closedMs, disabledMs, timezone, language } = user;
    if (closedMs !== null || disabledMs !== null || !(await consents.accepts(id, email))) return undefined;
    try {
      const reader = { userId: id, timezone: readerZone(timezone), words: Words.in(language) };
      return await mails.write(reader, endMs);
    } catch (error) {
      if (!isPermanent(error)) throw error;
      logger.error({ userId: id, err: error }, 'a weekly report could not be written');
      return undefined;
    }
  }

  /** Nothing if another worker has written it, or its user has changed the time. */
  private async insert(
    connection: PoolConnection,
    {
      user: { id, email },
      dueMs,
      endMs,
      mail,
    }: { user: User; dueMs: number; endMs: number; mail: WrittenMail | undefined },
  ): Promise<DeliveryNudge[]> {
    const nowMs = this.parts.clock.now();
    const run = runOn(connection);
    const [row] = await run(
      `SELECT weekly_report_day AS weeklyReportDay, weekly_report_hour AS weeklyReportHour, timezone, closed_ms AS closedMs
       FROM users WHERE id = ? AND weekly_report_due_ms = ? FOR UPDATE`,
      [id, dueMs],
    );
    if (!row) return [];
    const present = row as unknown as Reader & { closedMs: number | null }; // the selected columns
    const nextMs = present.closedMs === null ? nextReportMs({ ...present, weeklyReportedMs: endMs }, nowMs) : null;
    await run('UPDATE users SET weekly_report_due_ms = ?, weekly_reported_ms = ? WHERE id = ?', [nextMs, endMs, id]);
    return mail ? insertReport(connection, { ownerId: id, address: email, mail }, nowMs) : [];
  }
}

/** After an outage of weeks, the last one counts. */
function lastReportMs(user: Reader, dueMs: number, nowMs: number): number {
  const time = timeOf(user);
  const timezone = readerZone(user.timezone);
  return time ? Math.max(dueMs, weeksBefore(timezone, nextWeeklyMs(time, timezone, nowMs), 1)) : dueMs;
}

function timeOf({ weeklyReportDay: day, weeklyReportHour: hour }: Reader): WeeklyTime | null {
  return day === null || hour === null ? null : { day, hour };
}
