import type { DeliveryNudge } from '../../../jobs/delivery.job';
import { type AcknowledgedEpisode, insertAcknowledgedDeliveries } from '../../delivery/acknowledged-deliveries';
import type { DeliveryRunner } from '../../delivery/delivery-runner';
import { cancelEscalations } from '../../delivery/escalations';
import type { PacedTexts } from '../../delivery/paced-texts';
import { insertResolvedDeliveries } from '../../delivery/resolved-deliveries';
import { type NewEvent, raiseEvents } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import type { JobQueue } from '../../queue/job-queue';
import type { EndedEpisode, EpisodeCause, ResolvedBy } from '../../rules/episode';
import { BOTH_CAUSES, endEpisodes, type SensorTriggerSelection } from '../../trigger-store/episode-ends';
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
    const notified = ended.flatMap(({ deliverAtMs, ...episode }) =>
      deliverAtMs === null ? [] : [{ ...episode, deliverAtMs }],
    );
    const options = { nowMs, createdMs: nowMs, isSelfContained: true, texts: this.newTexts() };
    const nudges = await insertResolvedDeliveries(edit.run, notified, options);
    const events = ended.filter(({ isAnnounced }) => isAnnounced).map(toEvent);
    const eventUsers = await raiseEvents(edit.run, events, nowMs);
    this.start(edit, nudges);
    edit.afterCommit(async () => {
      if (eventUsers.length > 0) await this.jobQueue.enqueueEventDispatch(eventUsers);
    });
  }

  /** Delivers the first acknowledgement of an episode, in the transaction that writes it. */
  async reportAcknowledgement(edit: RuleEdit, episode: AcknowledgedEpisode): Promise<void> {
    this.start(edit, await insertAcknowledgedDeliveries(edit.run, episode, this.clock.now()));
  }

  private start(edit: RuleEdit, nudges: DeliveryNudge[]): void {
    if (nudges.length > 0) edit.afterCommit(() => this.runner.start(nudges));
  }
}

function toEvent({ triggerId, sensor, ownerId }: EndedEpisode): NewEvent {
  return { name: 'resolve_trigger', subjectId: triggerId, sourceId: sensor.id, userId: ownerId };
}
