import type { SensorAccess } from '../access/sensor-access';
import { auditModels } from '../audit';
import type { EventLog } from '../events/event-log';
import type { ByteBudget } from '../fairness/byte-budget';
import type { FairSemaphore } from '../fairness/fair-semaphore';
import type { FairShareScheduler } from '../fairness/fair-share-scheduler';
import type { CarefulWork } from '../fairness/quarantine/careful-work';
import { type DeliveryRunner, type NotificationsService, PacedTexts } from '../notifications';
import type { Clock } from '../platform/clock';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { SecretBox } from '../platform/secret-box';
import type { PartitionLayout, StreamSignal } from '../points';
import type { JobQueue } from '../queue/job-queue';
import type { Database } from '../storage';
import { auditedModels } from './audited-models';
import { BacktestsService } from './backtests/backtests.service';
import type { DecisionLog } from './evaluation/decision-log';
import { EvaluationConsumer } from './evaluation/evaluation-consumer';
import { IsolatedEvaluation } from './evaluation/isolated-evaluation';
import { BulkFiringsService } from './firings/bulk-firings.service';
import { DeliveredEnds } from './firings/delivered-ends';
import { FiringsService } from './firings/firings.service';
import { LinkAcknowledgements } from './firings/link-acknowledgements';
import { FleetFolder } from './fleets/fleet-folder';
import { MutesService } from './mutes/mutes.service';
import { NoiseService } from './noise/noise.service';
import { SuggestionsService } from './noise/suggestions.service';
import { WeeklyMails } from './noise/weekly-mails';
import { ArchivedRules } from './rule-sets/archived-rules';
import { RuleEffects } from './rule-sets/rule-effect';
import { RuleSetsService } from './rule-sets/rule-sets.service';
import { RuleTests } from './rule-sets/rule-tests';
import { ShadowReports } from './shadows/shadow-reports';
import { ShadowsService } from './shadows/shadows.service';
import { TriggerStore } from './trigger-store/trigger-store';
import { LateReports } from './triggers/late-reports';
import { SelectorFollower } from './triggers/selector-follower';
import { SelectorsService } from './triggers/selectors.service';
import { SensorTriggersService } from './triggers/sensor-triggers.service';
import { TriggerNotificationsService } from './triggers/trigger-notifications.service';
import { TriggersService } from './triggers/triggers.service';
import { WholeTriggerNotificationsService } from './triggers/whole-trigger-notifications.service';

interface EpisodeParts {
  shares: FairShareScheduler;
  database: Database;
  clock: Clock;
  jobQueue: JobQueue;
  delivery: { runner: DeliveryRunner };
}

/** Builds what ends and shows episodes, for notifications. */
export function buildEpisodes({ database, clock, jobQueue, delivery, shares }: EpisodeParts) {
  const newTexts = () => new PacedTexts(shares);
  const ends = new DeliveredEnds(delivery.runner, jobQueue, clock, newTexts);
  return { ends, newTexts, firings: new FiringsService(database, jobQueue, ends, clock) };
}

interface Parts extends EpisodeParts, ReturnType<typeof buildEpisodes> {
  config: Config;
  publicUrl: string;
  logger: Logger;
  metrics: Metrics;
  layout: PartitionLayout;
  workBudget: ByteBudget;
  computing: FairSemaphore<number>;
  careful?: CarefulWork | undefined;
  decisionLog: DecisionLog;
  streamSignal: StreamSignal;
  secretBox: SecretBox;
  sensorAccess: SensorAccess;
  eventLog: EventLog;
  notifications: NotificationsService;
}

/** Builds triggers, their evaluation, and what their owners do about alerts. */
export function buildAlerts(parts: Parts) {
  auditModels(auditedModels);
  const { clock, logger, database, eventLog, ends, firings, notifications, careful, secretBox } = parts;
  const edited = buildEdited(parts);
  const { sensorTriggers, mutes } = edited;
  return {
    evaluationConsumer: buildEvaluation(parts),
    services: {
      ...edited,
      ...buildTrials(parts, edited),
      selectorFollower: new SelectorFollower(database, { events: eventLog, ends, careful }, clock, logger),
      fleetFolder: new FleetFolder(parts),
      firings,
      bulkFirings: new BulkFiringsService(firings, sensorTriggers, mutes),
      linkAcknowledgements: new LinkAcknowledgements({ pool: database.pool, firings, mutes, secretBox, clock }),
      triggerNotifications: new TriggerNotificationsService(database, sensorTriggers, notifications, ends),
    },
  };
}

/** What owners edit. */
function buildEdited({ config, clock, database, sensorAccess, eventLog, ends, notifications }: Parts) {
  const retentionDays = config.dataRetentionDays || null;
  const selectors = new SelectorsService(database);
  return {
    selectors,
    triggers: new TriggersService(database, eventLog, ends, clock, selectors, retentionDays),
    sensorTriggers: new SensorTriggersService(database, sensorAccess, eventLog, ends, clock, retentionDays),
    mutes: new MutesService(database, sensorAccess, clock),
    wholeTriggerNotifications: new WholeTriggerNotificationsService(database, notifications, ends),
  };
}

/** What shows the effect of rules before and after they change. */
function buildTrials(
  { delivery, newTexts, publicUrl, notifications, ...parts }: Parts,
  edited: ReturnType<typeof buildEdited>,
) {
  const { config, clock, logger, database, sensorAccess, eventLog, ends, computing, workBudget, shares } = parts;
  const { digestAfter } = config;
  const days = config.dataRetentionDays || null;
  const backtests = new BacktestsService(database, sensorAccess, clock, computing, workBudget, days, digestAfter);
  const noise = new NoiseService(database);
  const suggestions = new SuggestionsService({ database, noise, backtests });
  const effects = new RuleEffects(database, backtests, clock);
  const trials = { effects, tests: new RuleTests(computing, workBudget) };
  const schemaUrl = `${publicUrl}/rules.schema.json`;
  return {
    backtests,
    lateReports: new LateReports(database, backtests, { runner: delivery.runner, newTexts }, clock, logger),
    shadows: new ShadowsService(database, edited.triggers, eventLog, ends, clock, days),
    shadowReports: new ShadowReports(database, clock, digestAfter),
    noise,
    suggestions,
    weeklyMails: new WeeklyMails(noise, suggestions, { workBudget, shares }, publicUrl),
    archivedRules: new ArchivedRules(database, clock, { ...edited, notifications }, schemaUrl),
    ruleSets: new RuleSetsService(database, clock, { ...edited, notifications }, trials, schemaUrl),
  };
}

function buildEvaluation({ config, clock, database, layout, shares, careful, ...parts }: Parts): EvaluationConsumer {
  const { pool } = database;
  const store = new TriggerStore({ checksCache: config.checksCache });
  const setting = { pool, clock, layout, shares, store, retentionDays: config.dataRetentionDays || null };
  const isolated = careful && new IsolatedEvaluation({ pool, clock, layout }, careful);
  const observers = { ...parts, deliveries: parts.delivery.runner };
  return new EvaluationConsumer(setting, observers, isolated);
}
