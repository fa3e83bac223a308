import { isMuted, type Mute } from '../../edge/mute';
import { type NamedSensor, namesOf, renderText, type TextValues } from '../../language/notification-text';
import { endText, type FiringVariables } from '../../notifications';
import { shortened } from '../../platform/start-of';
import { Words } from '../../platform/words/words';
import type { LabelsOfTexts } from '../../storage/labels';
import type { BacktestStep } from '../rules/backtest';
import { CAUSES, EPISODE_FIELDS, type Episode, type EpisodeCause } from '../rules/episode';
import { type EpisodeDelivery, EpisodePlan, type Recipient } from '../rules/episode-plan';
import type { UsedFacts } from '../rules/rule-zones';
import type { TriggerState } from '../rules/trigger-state';
import { BacktestDeliveries, type DeliveryLimits, type PlannedDelivery } from './backtest-deliveries';

export interface BacktestRecipient extends Recipient {
  text: string;
}

export interface RecordedAcknowledgement {
  sensorId: number;
  cause: EpisodeCause;
  atMs: number;
}

/** `never`, seconds after the first delivery of an episode, or as it was, in order of time. */
export type Acknowledging = 'never' | number | readonly RecordedAcknowledgement[];

export interface AudienceSetting {
  trigger: { triggerId: number; triggerName: string };
  notifyResolved: boolean;
  resolvedText: string | null;
  mutes: readonly Mute[];
  recipientsOf: (sensorId: number) => readonly BacktestRecipient[];
  sensors: ReadonlyMap<number, NamedSensor>;
  labelsOf?: LabelsOfTexts;
  acknowledge: Acknowledging;
  limits: DeliveryLimits;
}

/** A decision, and the episode that it leaves open. */
export interface AudienceStep extends Pick<BacktestStep, 'atMs' | 'cause' | 'decision'> {
  state: Readonly<Record<(typeof EPISODE_FIELDS)[EpisodeCause], Pick<Episode, 'beganMs'> | null>>;
}

interface OpenEpisode {
  plan: EpisodePlan;
  /** From the first firing. */
  variables: FiringVariables;
  /** From the firing whose deliveries wait. */
  waitingVariables: FiringVariables;
  isAcknowledged: boolean;
}

type OpenEpisodes = Partial<Record<EpisodeCause, OpenEpisode>>;

const MAX_TEXT = 1_000;

/** Who would have been notified by a backtest: feed it with the decisions of each sensor in order of time. */
export class BacktestAudience {
  readonly deliveries: BacktestDeliveries;
  /** Sensors without an open episode are left out. */
  private readonly open = new Map<number, OpenEpisodes>();
  private readonly recorded = new Map<number, RecordedAcknowledgement[]>();

  constructor(private readonly setting: AudienceSetting) {
    this.deliveries = new BacktestDeliveries(setting.limits);
    const { acknowledge } = setting;
    for (const one of typeof acknowledge === 'object' ? acknowledge : []) {
      const own = this.recorded.get(one.sensorId);
      if (own) own.push(one);
      else this.recorded.set(one.sensorId, [one]);
    }
  }

  isMuted(sensorId: number, atMs: number): boolean {
    const { mutes, trigger } = this.setting;
    return isMuted(mutes, { sensorId, triggerId: trigger.triggerId, atMs });
  }

  /** Applies a decision. Returns the number of deliveries that it plans. */
  take(sensorId: number, { atMs, cause, decision, state }: AudienceStep, used?: UsedFacts): number {
    const before = this.release(sensorId, atMs);
    if (!decision.fire && decision.reason !== 'resolved') return before;
    const episodes = this.open.get(sensorId) ?? {};
    const open = episodes[cause];
    if (decision.reason === 'resolved' && open) {
      delete episodes[cause];
      if (Object.keys(episodes).length === 0) this.open.delete(sensorId);
      return before + this.plan(sensorId, open.plan.onEnd(atMs), () => this.endText(sensorId, open.variables));
    }
    if (!decision.fire) return before;
    this.open.set(sensorId, episodes);
    const variables = used ? { ...decision.variables, ...used } : decision.variables;
    const beganMs = state[EPISODE_FIELDS[cause]]?.beganMs ?? atMs;
    const episode = open ?? {
      plan: this.newPlan(sensorId, beganMs),
      variables,
      waitingVariables: variables,
      isAcknowledged: false,
    };
    episodes[cause] = episode;
    const waited = episode.plan.waits;
    const planned = episode.plan.onFiring(atMs, decision.reason === 'muted');
    if (episode.plan.waits > waited) episode.waitingVariables = variables;
    return before + this.plan(sensorId, planned, (id) => this.firingText(sensorId, id, variables));
  }

  /** Until when the decisions of the clock count as they are. */
  nextAcknowledgementMs(sensorId: number): number {
    const { acknowledge } = this.setting;
    if (acknowledge === 'never') return Number.POSITIVE_INFINITY;
    if (typeof acknowledge === 'object') return this.recorded.get(sensorId)?.[0]?.atMs ?? Number.POSITIVE_INFINITY;
    const episodes = Object.values(this.open.get(sensorId) ?? {});
    const firsts = episodes.flatMap(({ plan, isAcknowledged }) =>
      isAcknowledged || plan.firstMs === null ? [] : plan.firstMs + acknowledge * 1000,
    );
    return Math.min(Number.POSITIVE_INFINITY, ...firsts);
  }

  /** Call it at that time: the episodes do not fire again. */
  acknowledge(sensorId: number, atMs: number, state: TriggerState): TriggerState {
    const { acknowledge } = this.setting;
    this.release(sensorId, typeof acknowledge === 'object' ? atMs : atMs + 1);
    const recorded = typeof acknowledge === 'object' ? this.recorded.get(sensorId)?.shift() : undefined;
    let after = state;
    for (const cause of CAUSES) {
      const open = this.open.get(sensorId)?.[cause];
      if (!open || open.isAcknowledged) continue;
      const { firstMs } = open.plan;
      const isDue = recorded
        ? recorded.cause === cause
        : firstMs !== null && firstMs + Number(acknowledge) * 1000 <= atMs;
      if (!isDue) continue;
      open.isAcknowledged = true;
      open.plan.onAcknowledged();
      const field = EPISODE_FIELDS[cause];
      const episode = after[field];
      after = { ...after, [field]: episode && { ...episode, isAcknowledged: true } };
    }
    return after;
  }

  /** Sends what is due until then. Returns the number of deliveries. */
  settle(untilMs: number): number {
    let planned = 0;
    for (const sensorId of this.open.keys()) planned += this.release(sensorId, untilMs + 1);
    this.deliveries.settle(untilMs);
    return planned;
  }

  private release(sensorId: number, beforeMs: number): number {
    const episodes = this.open.get(sensorId);
    if (!episodes) return 0;
    let planned = 0;
    for (const { plan, waitingVariables } of Object.values(episodes)) {
      if (plan.waits === 0) continue;
      planned += this.plan(sensorId, plan.release(beforeMs), (id) => this.firingText(sensorId, id, waitingVariables));
    }
    return planned;
  }

  private newPlan(sensorId: number, beganMs: number): EpisodePlan {
    const { recipientsOf, notifyResolved, mutes, trigger } = this.setting;
    const recipients = recipientsOf(sensorId);
    return new EpisodePlan({ recipients, notifyResolved, mutes, sensorId, triggerId: trigger.triggerId }, beganMs);
  }

  private plan(sensorId: number, deliveries: readonly EpisodeDelivery[], text: (id: number) => string): number {
    this.deliveries.add(
      deliveries.map(
        (delivery): PlannedDelivery => ({
          ...delivery,
          sensorId,
          text: () => shortened(text(delivery.notificationId), MAX_TEXT),
        }),
      ),
    );
    return deliveries.length;
  }

  private firingText(sensorId: number, notificationId: number, variables: FiringVariables): string {
    const recipient = this.setting.recipientsOf(sensorId).find(({ id }) => id === notificationId);
    return renderText(recipient?.text ?? '', this.valuesOf(sensorId, variables));
  }

  private endText(sensorId: number, variables: FiringVariables): string {
    return endText(this.setting.resolvedText, this.valuesOf(sensorId, variables), { words: Words.english });
  }

  /** Called late: few texts are listed. */
  private valuesOf(sensorId: number, variables: FiringVariables): TextValues {
    const sensor = this.setting.sensors.get(sensorId) ?? { id: sensorId, name: '' };
    const { labelsOf, trigger } = this.setting;
    const labels = labelsOf && { labels: labelsOf(sensorId, variables.labels) };
    return { ...variables, ...namesOf(sensor, trigger), ...labels };
  }
}
