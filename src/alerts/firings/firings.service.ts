import type { PoolConnection, RowDataPacket } from 'mysql2/promise';
import { type AlertRight, mayBeAssigned, mayForOthers, seesNot, triggersOfOthersSql } from '../../access/alert-access';
import { editRulesOn, type PoolEdit } from '../../access/rule-edit';
import { type Change, noteChange } from '../../audit';
import type { Page, PageOf } from '../../edge/paging';
import { raiseEvents } from '../../events/event-log';
import { cancelWaiting } from '../../notifications';
import type { Clock } from '../../platform/clock';
import { Conflict, Forbidden, NotFound } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import type { JobQueue } from '../../queue/job-queue';
import type { Database } from '../../storage';
import { Firing } from '../../storage/models/firing.model';
import { runOn } from '../../storage/transaction';
import type { EpisodeCause } from '../rules/episode';
import { acknowledgeEpisode, EPISODE_COLUMNS } from '../trigger-store/episode-ends';
import type { DeliveredEnds } from './delivered-ends';
import { type EpisodeFiring, withEpisodes } from './firing-episodes';
import { type FiringFilter, findFirings, type Whose } from './firing-list';
import { findHeldBy, type HeldBy } from './held-by';

interface Lasting {
  /** The first firing. */
  id: number;
  cause: EpisodeCause;
  sensorTriggerId: number;
  sensorId: number;
  triggerId: number;
  ownerId: number;
}

/** Who acknowledges: a user, or the person of a link that acts for one. */
export interface Acknowledger {
  userId: number;
  /** Empty if the link names nobody; absent without a link. */
  person?: string;
}

interface Reading {
  sort?: 'ASC' | 'DESC';
  whose?: Whose;
}

export class FiringsService {
  constructor(
    private readonly database: Database,
    private readonly jobQueue: JobQueue,
    private readonly ends: DeliveredEnds,
    private readonly clock: Clock,
  ) {}

  /** By default, with those of others that the user may see. */
  list(
    userId: number,
    filter: FiringFilter,
    page: Page,
    { sort = 'ASC', whose = 'see' }: Reading = {},
  ): Promise<PageOf<EpisodeFiring>> {
    return findFirings(this.database.reads, userId, filter, { page, sort, whose, nowMs: this.clock.now() });
  }

  /** Throws NotFound, and Forbidden if the user sees it and may not handle it. */
  async find(userId: number, id: number, whose: Whose = 'see'): Promise<EpisodeFiring> {
    await readFiring(this.database.pool, userId, id, whose);
    const firing = await Firing.findByPk(id);
    const now = { reads: this.database.pool, nowMs: this.clock.now() };
    const [found] = await withEpisodes(firing ? [firing] : [], now);
    if (!found) throw new NotFound('the firing');
    return found;
  }

  /** What holds the deliveries of firings of a sensor trigger, by their times. */
  async heldAt(sensorTriggerId: number, firedMs: readonly number[]): Promise<ReadonlyMap<number, HeldBy>> {
    if (firedMs.length === 0) return new Map();
    const where = { sensorTriggerId, firedMs: [...firedMs] };
    const firings = await Firing.findAll({ where, attributes: ['id', 'episodeId', 'firedMs'] });
    const ids = firings.map(({ id, episodeId }) => episodeId ?? id);
    const first = await Firing.findAll({ where: { id: ids }, attributes: { exclude: ['variables'] } });
    const held = await findHeldBy(first, { reads: this.database.pool, nowMs: this.clock.now() });
    return new Map(
      firings.flatMap((firing) => {
        const heldBy = held.get(firing.episodeId ?? firing.id);
        return heldBy ? [[firing.firedMs, heldBy] as const] : [];
      }),
    );
  }

  /**
   * The episode does not fire again, and waiting notifications get nothing. Repeating it changes only one's own note. Throws
   * Conflict if the episode has ended.
   */
  async acknowledge({ userId, person }: Acknowledger, id: number, note: string | undefined): Promise<EpisodeFiring> {
    const nowMs = this.clock.now();
    const eventUsers = await editRulesOn(this.database.pool, async (edit) => {
      const episode = await lockEpisode(edit, userId, id);
      const [before] = await edit.run(ACKNOWLEDGED, [episode.id]);
      const isFirst = before?.ms === null;
      const isTheirs = isFirst || (before?.userId === userId && (before.person ?? '') === (person ?? ''));
      const kept = isTheirs ? note : undefined;
      await edit.run(
        `UPDATE firings SET acknowledged_by = COALESCE(acknowledged_by, ?), acknowledged_ms = COALESCE(acknowledged_ms, ?),
           acknowledged_person = COALESCE(acknowledged_person, ?), note = COALESCE(?, note) WHERE id = ?`,
        [userId, nowMs, isFirst ? (person ?? null) : null, kept ?? null, episode.id],
      );
      noteChange(edit.connection, changeOfEpisode(episode, { acknowledged: true, person, note: kept }));
      await acknowledgeEpisode(edit, episode.sensorTriggerId, episode.cause);
      await cancelWaiting(edit.run, [episode.id]);
      if (isFirst) await this.ends.reportAcknowledgement(edit, { ...episode, firingId: episode.id });
      const event = { subjectId: episode.triggerId, sourceId: episode.sensorId, userId };
      return raiseEvents(edit.run, [{ name: 'acknowledge_trigger', ...event }], nowMs);
    });
    if (eventUsers.length > 0) await this.jobQueue.enqueueEventDispatch(eventUsers);
    return this.find(userId, id);
  }

  /** Ends the episode as data would. Throws Conflict if it has ended. */
  async resolve(userId: number, id: number): Promise<EpisodeFiring> {
    await editRulesOn(this.database.pool, async (edit) => {
      const episode = await lockEpisode(edit, userId, id);
      const { cause, sensorTriggerId } = episode;
      noteChange(edit.connection, changeOfEpisode(episode, { resolved: true }));
      const selection = { sensorTriggerIds: [sensorTriggerId] };
      await this.ends.end(edit, selection, { causes: [cause], resolvedBy: 'user', userId });
    });
    return this.find(userId, id);
  }

  /** Null assigns it to nobody. Throws Conflict if the episode has ended. */
  async assign(userId: number, id: number, assignedTo: number | null): Promise<EpisodeFiring> {
    const nowMs = this.clock.now();
    const eventUsers = await editRulesOn(this.database.pool, async (edit) => {
      const episode = await lockEpisode(edit, userId, id);
      const [before] = await edit.run('SELECT assigned_to AS userId FROM firings WHERE id = ?', [episode.id]);
      if (before?.userId === assignedTo) return [];
      if (assignedTo !== null && !(await mayBeAssigned(edit.run, assignedTo, { ...episode, byId: userId }))) {
        throw seesNot();
      }
      await edit.run('UPDATE firings SET assigned_to = ? WHERE id = ?', [assignedTo, episode.id]);
      noteChange(
        edit.connection,
        changeOfEpisode(episode, { assigned_to: assignedTo === null ? 'nobody' : String(assignedTo) }),
      );
      const event = { subjectId: episode.triggerId, sourceId: episode.sensorId, userId };
      return raiseEvents(edit.run, [{ name: 'assign_trigger', ...event }], nowMs);
    });
    if (eventUsers.length > 0) await this.jobQueue.enqueueEventDispatch(eventUsers);
    return this.find(userId, id);
  }
}

const ACKNOWLEDGED =
  'SELECT acknowledged_ms AS ms, acknowledged_by AS userId, acknowledged_person AS person FROM firings WHERE id = ?';

function changeOfEpisode(
  { id, triggerId, sensorId, ownerId }: Lasting,
  done: Readonly<Record<string, unknown>>,
): Change {
  const changes = withoutUndefined({ ...done, trigger_id: String(triggerId), sensor_id: String(sensorId) });
  const fields = new Map(Object.entries(changes).map(([field, value]) => [field, [null, value] as const]));
  return { kind: 'firing', id, owner: ownerId, fields };
}

async function lockEpisode(edit: PoolEdit, userId: number, id: number): Promise<Lasting> {
  const { connection } = edit;
  const firing = await readFiring(connection, userId, id, 'handle');
  await edit.affects({ sensorIds: [firing.sensorId] });
  const prefix = EPISODE_COLUMNS[firing.cause];
  const [[state]] = await connection.query<RowDataPacket[]>(
    `SELECT ${prefix}_ms AS beganMs FROM sensor_triggers WHERE id = ? FOR UPDATE`,
    [firing.sensorTriggerId],
  );
  if (!state || firing.firstMs !== state.beganMs) throw new Conflict('the episode has ended');
  return firing;
}

const FIRING = `SELECT COALESCE(e.id, f.id) AS id, COALESCE(e.fired_ms, f.fired_ms) AS firstMs, f.reason AS cause,
    f.sensor_trigger_id AS sensorTriggerId, s.id AS sensorId, t.id AS triggerId, f.owner_id AS ownerId
  FROM firings f LEFT JOIN firings e ON e.id = f.episode_id
       JOIN triggers t ON t.id = f.trigger_id JOIN sensors s ON s.id = f.sensor_id
  WHERE f.id = ? AND`;

type FoundFiring = Lasting & { firstMs: number };

/** Throws NotFound if the firing, trigger or sensor does not exist, or the user does not see the alert. */
async function readFiring(
  connection: Pick<PoolConnection, 'query'>,
  userId: number,
  id: number,
  whose: Whose,
): Promise<FoundFiring> {
  const [[own]] = await connection.query<RowDataPacket[]>(`${FIRING} f.owner_id = ?`, [id, userId]);
  const row = own ?? (whose === 'own' ? undefined : await readOthersFiring(connection, userId, id, whose));
  if (!row) throw new NotFound('the firing');
  const { sensorTriggerId, sensorId, triggerId, ownerId, cause, firstMs } = row;
  return { id: row.id, sensorTriggerId, sensorId, triggerId, ownerId, cause, firstMs };
}

/** Throws Forbidden if the user only sees it and must handle it. */
async function readOthersFiring(
  connection: Pick<PoolConnection, 'query'>,
  userId: number,
  id: number,
  right: AlertRight,
): Promise<RowDataPacket | undefined> {
  const sql = `${FIRING} f.trigger_id IN (SELECT v.id FROM (${triggersOfOthersSql(userId, 'see')}) v)`;
  const [[row]] = await connection.query<RowDataPacket[]>(sql, [id]);
  if (!row || right === 'see') return row;
  if (await mayForOthers(runOn(connection), userId, Number(row.triggerId), right)) return row;
  throw new Forbidden('in the group of this alert you may not handle alerts');
}
