import type { Sequelize } from 'sequelize';
import type { DeliveryNudge } from '../../../jobs/delivery.job';
import type { RuleEdit } from '../../access/rule-edit';
import { type NewEvent, raiseEvents } from '../../events/event-log';
import {
  type AcknowledgedEpisode,
  cancelWaiting,
  type DeliveryRunner,
  type EndedEpisode,
  insertAcknowledgedDeliveries,
  insertResolvedDeliveries,
  type PacedTexts,
  type ResolvedEpisode,
  releaseHeld,
} from '../../notifications';
import type { Clock } from '../../platform/clock';
import type { JobQueue } from '../../queue/job-queue';
import { CAUSES, type EpisodeCause, type ResolvedBy } from '../rules/episode';
import { endEpisodes, lockEpisodes, type SensorTriggerSelection } from '../trigger-store/episode-ends';
import { type EndMost, endMost, endMostFor } from './end-most';
import { findOwed } from './owed-ends';

interface EndOptions {
  causes?: readonly EpisodeCause[];
  resolvedBy?: Exclude<ResolvedBy, 'data'>;
  /** Who ends them; by default their owners. */
  userId?: number;
}

/** Ends episodes by an edit or by hand, with deliveries and events as data would. Also delivers acknowledgements. */
export class DeliveredEnds {
  constructor(
    private readonly runner: Pick<DeliveryRunner, 'start'>,
    private readonly jobQueue: Pick<JobQueue, 'enqueueEventDispatch'>,
    private readonly clock: Clock,
    private readonly newTexts: () => PacedTexts,
  ) {}

  /**
   * Ends lasting episodes in the transaction of the edit. Call it while sensors, triggers and connections exist: they
   * name what ends and who is notified. Returns the number of ended episodes.
   */
  async end(
    edit: RuleEdit,
    selection: SensorTriggerSelection,
    { causes = CAUSES, resolvedBy = 'edit', userId }: EndOptions = {},
  ): Promise<number> {
    const nowMs = this.clock.now();
    const ended = await endEpisodes(edit, selection, causes, { resolvedBy, nowMs });
    if (ended.length === 0) return 0;
    const firingIds = ended.map(({ firingId }) => firingId);
    await cancelWaiting(edit.run, firingIds);
    await releaseHeld(edit.run, firingIds, nowMs);
    const options = { nowMs, createdMs: nowMs, isSelfContained: true, texts: this.newTexts() };
    const nudges = await insertResolvedDeliveries(edit.run, ended.filter(isDelivered), options);
    const events = ended.filter(({ isAnnounced }) => isAnnounced).map((one) => eventOf(one, userId));
    const eventUsers = await raiseEvents(edit.run, events, nowMs);
    this.start(edit, nudges);
    edit.afterCommit(async () => {
      if (eventUsers.length > 0) await this.jobQueue.enqueueEventDispatch(eventUsers);
    });
    return ended.length;
  }

  /** Ends episodes in small transactions, until the rest fits in the transaction of the edit. Returns their number. */
  endMost(sequelize: Sequelize, what: EndMost): Promise<number> {
    return endMost(sequelize, this, what);
  }

  /** Ends most episodes for a notification that is about to be disconnected or disabled. */
  endMostFor(sequelize: Sequelize, notificationId: number, sensorTriggerIds: readonly number[]): Promise<void> {
    return endMostFor(sequelize, this, notificationId, sensorTriggerIds);
  }

  /**
   * Delivers ends to notifications that got a firing, in the transaction that disconnects or disables them: call it
   * before that, after what waits for them is deleted. The episodes continue for others.
   */
  async endFor(edit: RuleEdit, notificationIds: readonly number[], sensorTriggerIds: readonly number[]): Promise<void> {
    const nowMs = this.clock.now();
    const owed = await findOwed(edit.run, notificationIds, sensorTriggerIds);
    const lasting = await lockEpisodes(edit, owed, nowMs);
    const options = { nowMs, createdMs: nowMs, isSelfContained: true, texts: this.newTexts(), onlyTo: notificationIds };
    this.start(edit, await insertResolvedDeliveries(edit.run, lasting.filter(isDelivered), options));
  }

  /** Call it in the transaction that writes the first acknowledgement. */
  async reportAcknowledgement(edit: RuleEdit, episode: AcknowledgedEpisode): Promise<void> {
    this.start(edit, await insertAcknowledgedDeliveries(edit.run, episode, this.clock.now()));
  }

  private start(edit: RuleEdit, nudges: DeliveryNudge[]): void {
    if (nudges.length > 0) edit.afterCommit(() => this.runner.start(nudges));
  }
}

function isDelivered(episode: EndedEpisode): episode is ResolvedEpisode {
  return episode.deliverAtMs !== null;
}

function eventOf({ triggerId, sensor, ownerId }: EndedEpisode, userId = ownerId): NewEvent {
  return { name: 'resolve_trigger', subjectId: triggerId, sourceId: sensor.id, userId };
}
