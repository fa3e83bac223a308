import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { DeliveryRunner } from '../../delivery/delivery-runner';
import { insertResolvedDeliveries } from '../../delivery/resolved-deliveries';
import { raiseEvents } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import type { JobQueue } from '../../queue/job-queue';
import type { EpisodeCause } from '../../rules/episode';
import { isMuted } from '../../rules/mute';
import type { Page, PageOf } from '../../rules/paging';
import type { Database } from '../../storage';
import { type EpisodeFiring, withEpisodes } from '../../storage/firing-episodes';
import { Firing } from '../../storage/models/firing.model';
import { readMutes } from '../../storage/mutes';
import { runOn } from '../../storage/transaction';
import { acknowledgeEpisode, EPISODE_COLUMNS, endEpisodes } from '../../trigger-store/episode-ends';
import { editRulesOn, type PoolEdit } from '../../trigger-store/rule-edit';
import { type FiringFilter, findFirings } from './firing-list';

/** An open episode; its sensor trigger is locked. */
interface Lasting {
  /** The first firing. */
  id: number;
  cause: EpisodeCause;
  sensorTriggerId: number;
  sensor: { id: number; name: string };
  triggerId: number;
  triggerName: string;
  notifyResolved: boolean;
  isAnnounced: boolean;
  mutedUntilMs: number | null;
}

/** The firings of a user's triggers, and the user's actions on their episodes. For other users they do not exist. */
export class FiringsService {
  constructor(
    private readonly database: Database,
    private readonly jobQueue: JobQueue,
    private readonly runner: Pick<DeliveryRunner, 'start'>,
    private readonly clock: Clock,
  ) {}

  /** A page of the firings, by date. */
  list(userId: number, filter: FiringFilter, page: Page, sort: 'ASC' | 'DESC' = 'ASC'): Promise<PageOf<EpisodeFiring>> {
    return findFirings(this.database.reads, userId, filter, { page, sort });
  }

  /** A firing of a trigger of the user, on an existing sensor. */
  async find(userId: number, id: number): Promise<EpisodeFiring> {
    await readFiring(this.database.pool, userId, id);
    const firing = await Firing.findByPk(id);
    const [found] = await withEpisodes(firing ? [firing] : []);
    if (!found) throw new NotFound('the firing');
    return found;
  }

  /**
   * Acknowledges the episode of the firing: it does not fire again. Repeating it changes only the note. Conflict if the
   * episode has ended.
   */
  async acknowledge(userId: number, id: number, note: string | undefined): Promise<EpisodeFiring> {
    const nowMs = this.clock.now();
    const eventUsers = await editRulesOn(this.database.pool, async (edit) => {
      const episode = await lockEpisode(edit, userId, id);
      await edit.run(
        `UPDATE firings SET acknowledged_by = COALESCE(acknowledged_by, ?), acknowledged_ms = COALESCE(acknowledged_ms, ?),
           note = COALESCE(?, note) WHERE id = ?`,
        [userId, nowMs, note ?? null, episode.id],
      );
      await acknowledgeEpisode(edit, episode.sensorTriggerId, episode.cause);
      const event = { subjectId: episode.triggerId, sourceId: episode.sensor.id, userId };
      return raiseEvents(edit.run, [{ name: 'acknowledge_trigger', ...event }], nowMs);
    });
    if (eventUsers.length > 0) await this.jobQueue.enqueueEventDispatch(eventUsers);
    return this.find(userId, id);
  }

  /**
   * Ends the episode of the firing, as data would: with deliveries, if the trigger has them. Conflict if it has ended.
   */
  async resolve(userId: number, id: number): Promise<EpisodeFiring> {
    const nowMs = this.clock.now();
    const { nudges, eventUsers } = await editRulesOn(this.database.pool, async (edit) => {
      const { connection } = edit;
      const episode = await lockEpisode(edit, userId, id);
      const { cause, sensorTriggerId, sensor, triggerId } = episode;
      await endEpisodes(edit, { sensorTriggerIds: [sensorTriggerId] }, [cause], { resolvedBy: 'user', nowMs });
      const delivered = await insertEnd(connection, userId, episode, nowMs);
      const resolved = { name: 'resolve_trigger', subjectId: triggerId, sourceId: sensor.id, userId } as const;
      const raised = episode.isAnnounced ? await raiseEvents(edit.run, [resolved], nowMs) : [];
      return { nudges: delivered, eventUsers: raised };
    });
    if (nudges.length > 0) await this.runner.start(nudges);
    if (eventUsers.length > 0) await this.jobQueue.enqueueEventDispatch(eventUsers);
    return this.find(userId, id);
  }
}

/** Inserts the deliveries of an end, unless the episode was never announced or is muted. */
async function insertEnd(
  connection: PoolConnection,
  ownerId: number,
  episode: Lasting,
  nowMs: number,
): Promise<DeliveryNudge[]> {
  const { id, triggerId, sensor, mutedUntilMs } = episode;
  if (!episode.notifyResolved || !episode.isAnnounced || (mutedUntilMs !== null && nowMs < mutedUntilMs)) return [];
  const mutes = (await readMutes(runOn(connection), [ownerId])).get(ownerId) ?? [];
  if (isMuted(mutes, { sensorId: sensor.id, triggerId, atMs: nowMs })) return [];
  return insertResolvedDeliveries(connection, [{ ...episode, ownerId, firingId: id }], { nowMs, createdMs: nowMs });
}

/** The episode of a firing, with its sensor trigger locked as by an edit; Conflict if it has ended. */
async function lockEpisode(edit: PoolEdit, userId: number, id: number): Promise<Lasting> {
  const { connection } = edit;
  const firing = await readFiring(connection, userId, id);
  await edit.affects({ sensorIds: [firing.sensor.id] });
  const prefix = EPISODE_COLUMNS[firing.cause];
  const [[state]] = await connection.query<RowDataPacket[]>('SELECT * FROM sensor_triggers WHERE id = ? FOR UPDATE', [
    firing.sensorTriggerId,
  ]);
  const beganMs: number | null | undefined = state?.[`${prefix}_ms`];
  if (!state || beganMs === null || firing.firstMs !== beganMs) throw new Conflict('the episode has ended');
  return { ...firing, isAnnounced: Boolean(state[`${prefix}_announced`]), mutedUntilMs: state.muted_until_ms };
}

/** A firing of the user without its variables; NotFound if it, its trigger or its sensor does not exist. */
async function readFiring(
  connection: Pick<PoolConnection, 'query'>,
  userId: number,
  id: number,
): Promise<Omit<Lasting, 'isAnnounced' | 'mutedUntilMs'> & { firstMs: number }> {
  const [[row]] = await connection.query<RowDataPacket[]>(
    `SELECT COALESCE(e.id, f.id) AS id, COALESCE(e.fired_ms, f.fired_ms) AS firstMs, f.reason AS cause,
       f.sensor_trigger_id AS sensorTriggerId, s.id AS sensorId, s.name AS sensorName, t.id AS triggerId,
       t.name AS triggerName, t.notify_resolved AS notifyResolved
     FROM firings f LEFT JOIN firings e ON e.id = f.episode_id
          JOIN triggers t ON t.id = f.trigger_id JOIN sensors s ON s.id = f.sensor_id
     WHERE f.id = ? AND f.owner_id = ?`,
    [id, userId],
  );
  if (!row) throw new NotFound('the firing');
  const { sensorId, sensorName, notifyResolved, cause, firstMs, ...known } = row;
  return {
    id: known.id,
    sensorTriggerId: known.sensorTriggerId,
    triggerId: known.triggerId,
    triggerName: known.triggerName,
    sensor: { id: sensorId, name: sensorName },
    notifyResolved: Boolean(notifyResolved),
    cause,
    firstMs,
  };
}
