import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { type AcknowledgedEpisode, insertAcknowledgedDeliveries } from '../../delivery/acknowledged-deliveries';
import type { DeliveryRunner } from '../../delivery/delivery-runner';
import { cancelEscalations } from '../../delivery/escalations';
import type { PacedTexts } from '../../delivery/paced-texts';
import { insertResolvedDeliveries, type ResolvedEpisode } from '../../delivery/resolved-deliveries';
import { isOwedAnEnd, readSentFirings, sentKey } from '../../delivery/sent-firings';
import { type NewEvent, raiseEvents } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { JobQueue } from '../../queue/job-queue';
import type { EndedEpisode, EpisodeCause, ResolvedBy } from '../../rules/episode';
import { partsOf } from '../../rules/parts-of';
import type { RunSql } from '../../storage/transaction';
import { BOTH_CAUSES, endEpisodes, lockEpisodes, type SensorTriggerSelection } from '../../trigger-store/episode-ends';
import type { RuleEdit } from '../../trigger-store/rule-edit';

/** What ends, and why. By default both episodes of each sensor trigger end, by an edit. */
interface EndOptions {
  causes?: readonly EpisodeCause[];
  resolvedBy?: Exclude<ResolvedBy, 'data'>;
}

/**
 * Ends episodes by an edit or by hand, as data would: with deliveries and events of their ends. Also delivers their
 * acknowledgements.
 */
export class DeliveredEnds {
  constructor(
    private readonly runner: Pick<DeliveryRunner, 'start'>,
    private readonly jobQueue: Pick<JobQueue, 'enqueueEventDispatch'>,
    private readonly clock: Clock,
    /** The texts of one transaction. */
    private readonly newTexts: () => PacedTexts,
  ) {}

  /**
   * Ends the lasting episodes of these sensor triggers in the transaction of the edit. Call it while the sensors, the
   * triggers and their connections exist: they name what ends and who is notified. The deliveries start after the commit.
   */
  async end(
    edit: RuleEdit,
    selection: SensorTriggerSelection,
    { causes = BOTH_CAUSES, resolvedBy = 'edit' }: EndOptions = {},
  ): Promise<void> {
    const nowMs = this.clock.now();
    const ended = await endEpisodes(edit, selection, causes, { resolvedBy, nowMs });
    if (ended.length === 0) return;
    await cancelEscalations(
      edit.run,
      ended.map(({ firingId }) => firingId),
    );
    const options = { nowMs, createdMs: nowMs, isSelfContained: true, texts: this.newTexts() };
    const nudges = await insertResolvedDeliveries(edit.run, ended.filter(isDelivered), options);
    const events = ended.filter(({ isAnnounced }) => isAnnounced).map(toEvent);
    const eventUsers = await raiseEvents(edit.run, events, nowMs);
    this.start(edit, nudges);
    edit.afterCommit(async () => {
      if (eventUsers.length > 0) await this.jobQueue.enqueueEventDispatch(eventUsers);
    });
  }

  /**
   * Delivers the end of the lasting episodes of these sensor triggers to notifications that got a firing, in the
   * transaction that disconnects or disables them. Call it while they are connected and enabled, after what waits for
   * them is deleted. The episodes continue for all others.
   */
  async endFor(edit: RuleEdit, notificationIds: readonly number[], sensorTriggerIds: readonly number[]): Promise<void> {
    const nowMs = this.clock.now();
    const owed = await findOwed(edit.run, notificationIds, sensorTriggerIds);
    const lasting = await lockEpisodes(edit, owed, nowMs);
    const options = { nowMs, createdMs: nowMs, isSelfContained: true, texts: this.newTexts(), onlyTo: notificationIds };
    this.start(edit, await insertResolvedDeliveries(edit.run, lasting.filter(isDelivered), options));
  }

  /** Delivers the first acknowledgement of an episode, in the transaction that writes it. */
  async reportAcknowledgement(edit: RuleEdit, episode: AcknowledgedEpisode): Promise<void> {
    this.start(edit, await insertAcknowledgedDeliveries(edit.run, episode, this.clock.now()));
  }

  private start(edit: RuleEdit, nudges: DeliveryNudge[]): void {
    if (nudges.length > 0) edit.afterCommit(() => this.runner.start(nudges));
  }
}

/** True for an episode whose end is delivered. */
function isDelivered(episode: EndedEpisode): episode is ResolvedEpisode {
  return episode.deliverAtMs !== null;
}

/** Number of sensor triggers in one statement. */
const READ_AT_ONCE = 500;

/** Those of the sensor triggers with an episode of which one of the notifications got a firing, and no end since. */
export async function findOwed(
  run: RunSql,
  notificationIds: readonly number[],
  sensorTriggerIds: readonly number[],
): Promise<number[]> {
  const owed = new Set<number>();
  for (const part of partsOf(notificationIds.length === 0 ? [] : sensorTriggerIds, READ_AT_ONCE)) {
    const first = await run(
      `SELECT e.id, st.id AS sensorTriggerId FROM sensor_triggers st
       JOIN triggers t ON t.id = st.trigger_id AND t.notify_resolved
       JOIN firings e ON e.sensor_trigger_id = st.id AND (e.fired_ms = st.episode_ms OR e.fired_ms = st.inactivity_episode_ms)
       WHERE st.id IN (?)`,
      [part],
    );
    const firingIds = first.map(({ id }) => Number(id));
    const sent = await readSentFirings(run, firingIds, notificationIds);
    for (const { id, sensorTriggerId } of first) {
      const isOwed = notificationIds.some((notificationId) =>
        isOwedAnEnd(sent.get(sentKey(Number(id), notificationId))),
      );
      if (isOwed) owed.add(Number(sensorTriggerId));
    }
  }
  return [...owed];
}

function toEvent({ triggerId, sensor, ownerId }: EndedEpisode): NewEvent {
  return { name: 'resolve_trigger', subjectId: triggerId, sourceId: sensor.id, userId: ownerId };
}
