import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { muteEndMs } from '../../edge/mute';
import { namesOf, renderText, roomOfEach } from '../../language/notification-text';
import { momentText, readerTime, readerZone } from '../../language/reader-time';
import {
  type ConnectedNotification,
  type DeliveryRunner,
  insertDeliveries,
  type NewDelivery,
  type PacedTexts,
  readConnectedNotifications,
  readNudges,
} from '../../notifications';
import type { Clock } from '../../platform/clock';
import { InvalidInput, TooMany } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import type { Database } from '../../storage';
import { readLabelsOfTexts } from '../../storage/labels';
import { Sensor } from '../../storage/models/sensor.model';
import { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import { Trigger } from '../../storage/models/trigger.model';
import { User } from '../../storage/models/user.model';
import { readMutes } from '../../storage/mutes';
import { isPermanent } from '../../storage/mysql-errors';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';
import { readLastDates } from '../backtests/backtest-points';
import type { BacktestFiring } from '../backtests/backtest-run';
import type { BacktestsService } from '../backtests/backtests.service';
import { readSettled, type SettledPoints, takeSettled } from '../trigger-store/late-points';

const DAY_MS = 86_400_000;
/** The next run continues. */
const REPORTS_PER_RUN = 200;
const RUN_MS = 10_000;

interface Late {
  sensorTrigger: SensorTrigger;
  trigger: Trigger;
  sensor: Sensor;
}

interface MissedAlert {
  first: BacktestFiring;
  count: number;
  untilMs: number;
}

/**
 * Tries triggers on settled late points of the last day. Episodes that no firing has reported are delivered once, as an
 * alert that is over.
 */
export class LateReports {
  constructor(
    private readonly database: Database,
    private readonly backtests: Pick<BacktestsService, 'run'>,
    private readonly sending: { runner: Pick<DeliveryRunner, 'start'>; newTexts: () => PacedTexts },
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Runs for a limited time. */
  async run(): Promise<void> {
    const untilMs = this.clock.now() + RUN_MS;
    const { pool } = this.database;
    for (const settled of await readSettled(runOn(pool), this.clock.now(), REPORTS_PER_RUN)) {
      try {
        await this.report(settled);
      } catch (error) {
        // A backtest of the user runs, or they hold too much: the next run tries again.
        if (error instanceof TooMany) continue;
        if (!(error instanceof InvalidInput) && !isPermanent(error)) throw error;
        this.logger.warn({ err: error, sensorTriggerId: settled.sensorTriggerId }, 'late points were not reported');
        await inPoolTransaction(pool, (connection) =>
          takeSettled(runOn(connection), settled, whyUnreported(settled, error)),
        );
      }
      if (this.clock.now() >= untilMs) return;
    }
  }

  private async report(settled: SettledPoints): Promise<void> {
    const late = await findLate(settled);
    const missed = late && (await this.findMissed(late, settled));
    const nudges = await inPoolTransaction(this.database.pool, async (connection): Promise<DeliveryNudge[]> => {
      const run = runOn(connection);
      if (!(await takeSettled(run, settled)) || !late || !missed) return [];
      return this.write(run, late, missed);
    });
    if (nudges.length > 0) await this.sending.runner.start(nudges);
  }

  /** Starts before the late points, so that all are decided on. */
  private async findMissed(
    { trigger, sensor, sensorTrigger }: Late,
    settled: SettledPoints,
  ): Promise<MissedAlert | undefined> {
    const fromMs = Math.max(settled.fromMs, this.clock.now() - DAY_MS);
    if (settled.untilMs < fromMs || trigger.expression === null) return undefined;
    const { expression, hold, resolveExpression, keepFiringFor, timezone } = trigger;
    const rule = { expression, inactivity: null, hold, repeat: 0, resolveExpression, keepFiringFor, timezone };
    const before = await readLastDates(this.database.reads, [sensor.id], fromMs);
    const startMs = before.get(sensor.id) ?? fromMs;
    const scope = { sensorIds: [sensor.id], startMs, descending: false };
    const { firings, untilMs } = await this.backtests.run(trigger.ownerId, { rule }, scope);
    const found = firings.filter(({ dateMs }) => dateMs >= fromMs && dateMs <= settled.untilMs);
    const known = await readReported(runOn(this.database.pool), sensorTrigger.id, fromMs - DAY_MS);
    const endOf = ({ episode }: BacktestFiring) => episode.endedMs ?? untilMs;
    const missed = found.filter((firing) => !known.some((range) => overlaps(range, firing.dateMs, endOf(firing))));
    const [first] = missed;
    return first && { first, count: missed.length, untilMs: Math.max(...missed.map(endOf)) };
  }

  private async write(run: RunSql, late: Late, missed: MissedAlert): Promise<DeliveryNudge[]> {
    const { sensorTrigger, trigger, sensor } = late;
    const nowMs = this.clock.now();
    const mutes = (await readMutes(run, [trigger.ownerId])).get(trigger.ownerId) ?? [];
    const moment = { sensorId: sensor.id, triggerId: trigger.id, atMs: nowMs };
    const atMs = muteEndMs({ mutes, mutedUntilMs: sensorTrigger.mutedUntilMs }, moment);
    const firingId = await insertFiring(run, late, missed, { nowMs, isMuted: atMs > nowMs });
    if (firingId === undefined) return [];
    const notifications = await readConnectedNotifications(run, [sensorTrigger.id]);
    const lastedS = (missed.untilMs - missed.first.dateMs) / 1000;
    const notified = notifications.filter(({ afterS }) => afterS <= lastedS);
    const owner = await User.findByPk(trigger.ownerId, { attributes: ['timezone'] });
    const text = overText(missed, readerZone(owner?.timezone ?? null, trigger.timezone));
    const room = roomOfEach(Math.max(1, notified.length));
    const labelsOf = await readLabelsOfTexts(
      run,
      [sensor.id],
      notified.map((one) => one.text),
    );
    const { variables } = missed.first;
    const values = { ...variables, ...namesOfLate(late), labels: labelsOf(sensor.id, variables.labels) };
    const texts = this.sending.newTexts();
    const deliveries: NewDelivery[] = [];
    for (const notification of notified) {
      const render = () => notification.text && `${renderText(notification.text, values, room)}\n`;
      const given = texts.render(trigger.ownerId, values, render);
      deliveries.push(...deliveriesOf(notification, late, { firingId, text: `${given}${text}`, atMs, nowMs }));
      if (texts.isPauseDue) await texts.pause();
    }
    await insertDeliveries(run, deliveries);
    return readNudges(run, 'firing_id = ? AND after_mute = FALSE', [firingId]);
  }
}

function namesOfLate({ trigger, sensor: { id, name, unit } }: Late) {
  return namesOf({ id, name, unit }, { triggerId: trigger.id, triggerName: trigger.name });
}

/** The owner reads this in `last_error` until the next report. */
function whyUnreported({ fromMs, untilMs }: SettledPoints, error: unknown): string {
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString());
  const why =
    error instanceof InvalidInput
      ? (Object.values(error.fields ?? {})[0] ?? error.message)
      : 'the platform could not evaluate them';
  return `the late points from ${from} to ${until} are not reported: they ${why}. Make a backtest of a shorter range to see what they would have caused`;
}

/** Undefined if the trigger does not, or no longer, report late points. */
async function findLate({ sensorTriggerId }: SettledPoints): Promise<Late | undefined> {
  const sensorTrigger = await SensorTrigger.findByPk(sensorTriggerId);
  if (!sensorTrigger?.active) return undefined;
  const trigger = await Trigger.findOne({ where: { id: sensorTrigger.triggerId, late: 'report' } });
  const sensor = trigger && (await Sensor.findByPk(sensorTrigger.sensorId));
  return sensor ? { sensorTrigger, trigger, sensor } : undefined;
}

/** Time of a recorded firing, by dates of points; a lasting episode has no end. */
interface Reported {
  fromMs: number;
  untilMs: number;
}

async function readReported(run: RunSql, sensorTriggerId: number, sinceMs: number): Promise<Reported[]> {
  const rows = await run(
    `SELECT JSON_EXTRACT(variables, '$.sensor_data_date') AS dateS, fired_ms AS firedMs, ended_ms AS endedMs,
       end_date_ms AS endDateMs, is_lasting AS isLasting
     FROM firings WHERE sensor_trigger_id = ? AND reason = 'expression' AND (is_lasting OR ended_ms >= ? OR fired_ms >= ?)`,
    [sensorTriggerId, sinceMs, sinceMs],
  );
  return rows.map(({ dateS, firedMs, endedMs, endDateMs, isLasting }) => {
    const fromMs = dateS === null ? Number(firedMs) : Math.round(Number(dateS) * 1000);
    const untilMs = isLasting ? Number.POSITIVE_INFINITY : Number(endDateMs ?? endedMs ?? fromMs);
    return { fromMs, untilMs: Math.max(fromMs, untilMs) };
  });
}

function overlaps(range: Reported, fromMs: number, untilMs: number): boolean {
  return range.fromMs <= untilMs && fromMs <= range.untilMs;
}

/** Records the alert at its own time. Undefined if a firing of that time exists. */
async function insertFiring(
  run: RunSql,
  { sensorTrigger, trigger, sensor }: Late,
  { first, untilMs }: MissedAlert,
  { nowMs, isMuted }: { nowMs: number; isMuted: boolean },
): Promise<number | undefined> {
  const key = [sensorTrigger.id, first.dateMs];
  const find = () => run('SELECT id FROM firings WHERE sensor_trigger_id = ? AND fired_ms = ?', key);
  if ((await find()).length > 0) return undefined;
  await run(
    `INSERT INTO firings (owner_id, sensor_id, trigger_id, trigger_version, sensor_trigger_id, reason, fired_ms, variables,
       muted, is_lasting, ended_ms, resolved_by, end_date_ms, hold_s, reported_ms) VALUES (?)`,
    [
      [
        ...[trigger.ownerId, sensor.id, trigger.id, trigger.version, sensorTrigger.id, 'expression', first.dateMs],
        ...[JSON.stringify(first.variables), isMuted, false, untilMs, 'data', untilMs, trigger.hold, nowMs],
      ],
    ],
  );
  const [row] = await find();
  return row && Number(row.id);
}

/** A receiver by URL also gets the end, if the trigger delivers ends: its incident is open now. */
function deliveriesOf(
  { id: notificationId, ownerId, type, destination, endDestination }: ConnectedNotification,
  { trigger, sensor }: Late,
  { firingId, text, atMs, nowMs }: { firingId: number; text: string; atMs: number; nowMs: number },
): NewDelivery[] {
  const planned = { nextAttemptMs: atMs, afterMute: atMs > nowMs, createdMs: nowMs };
  const known = { ownerId, notificationId, type, firingId, sensorId: sensor.id, triggerId: trigger.id, ...planned };
  const alert = { ...known, kind: 'firing' as const, destination, text };
  return trigger.notifyResolved && type === 'url'
    ? [alert, { ...known, kind: 'end', destination: endDestination, text }]
    : [alert];
}

function overText({ first, count, untilMs }: MissedAlert, zone: string): string {
  const [from, until] = [first.dateMs, untilMs].map((ms) => momentText(readerTime(ms, zone)));
  const times = count > 1 ? `, ${count} times in all` : '';
  return `This alert is over. Its condition was met from ${from} to ${until}${times}; the data arrived too late to report it then.`;
}
