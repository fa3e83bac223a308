import { editRulesOn } from '../../src/access/rule-edit';
import { SensorAccess } from '../../src/access/sensor-access';
import { DecisionLog } from '../../src/alerts/evaluation/decision-log';
import { EvaluationConsumer } from '../../src/alerts/evaluation/evaluation-consumer';
import { DeliveredEnds } from '../../src/alerts/firings/delivered-ends';
import { FiringsService } from '../../src/alerts/firings/firings.service';
import { RecordedHolders } from '../../src/alerts/firings/recorded-holders';
import { FleetFolder } from '../../src/alerts/fleets/fleet-folder';
import { TriggerStore } from '../../src/alerts/trigger-store/trigger-store';
import { SelectorFollower } from '../../src/alerts/triggers/selector-follower';
import type { Container } from '../../src/container';
import { EventLog } from '../../src/events/event-log';
import { FairShareScheduler } from '../../src/fairness/fair-share-scheduler';
import { buildPurge } from '../../src/maintenance/build-purge';
import { Reconciler } from '../../src/maintenance/reconciler';
import { Schedule } from '../../src/maintenance/schedule';
import { Probes } from '../../src/notifications/deliveries/probes';
import { buildDelivery } from '../../src/notifications/delivery/build-delivery';
import { CHANNELS, type OpenChannels } from '../../src/notifications/delivery/channels';
import type { Channel } from '../../src/notifications/delivery/channels/channel';
import { DeliveryComputing } from '../../src/notifications/delivery/delivery-computing';
import { Digests } from '../../src/notifications/delivery/digests';
import { MailAllowances } from '../../src/notifications/delivery/mail/mail-allowances';
import { MailGate } from '../../src/notifications/delivery/mail/mail-gate';
import { OutgoingBuilder } from '../../src/notifications/delivery/outgoing';
import { PacedTexts } from '../../src/notifications/delivery/paced-texts';
import { PausedReceivers } from '../../src/notifications/delivery/paused-receivers';
import { EventDispatcher } from '../../src/notifications/dispatch/event-dispatcher';
import type { Clock } from '../../src/platform/clock';
import type { Logger } from '../../src/platform/logger';
import { Metrics } from '../../src/platform/metrics';
import { SecretBox } from '../../src/platform/secret-box';
import { Heartbeat } from '../../src/points/availability/heartbeat';
import { PartitionLayout } from '../../src/points/inbox/partition-layout';
import { DataPointWriter } from '../../src/points/intake/data-point-writer';
import type { PointBatch } from '../../src/points/intake/waiting-requests';
import { JobQueue } from '../../src/queue/job-queue';
import { EventShares, ShardAssignment } from '../../src/queue/shard-assignment';
import { EnvironmentsService } from '../../src/sensors/environments/environments.service';
import { MetatagsService } from '../../src/sensors/metatags/metatags.service';
import type { Database } from '../../src/storage';
import { OWNER_ID } from './scenario';
import type { Scheduler, StepTaker } from './scheduler';
import { simulatedModels } from './simulated-models';
import { type Server, SimulatedPool } from './simulated-pool';
import type { SimulatedRedis } from './simulated-redis';

/** Processes are started with different numbers of partitions. */
export const PARTITION_COUNTS = [3, 4, 6];
const MOST_PARTITIONS = 6;
/** Nobody deletes anything here, and everything is kept. */
const KEEPS_ALL = {
  accounts: { remove: async () => true },
  decisionLog: { keepOnly: async () => undefined },
  dataRetentionDays: 0,
  chunkAfterMs: 0,
  historyRetentionDays: 0,
  deliveryRetentionDays: 0,
  sessionIdleDays: 0,
  ofWings: [],
};
const DELIVERIES_AT_ONCE = 4;
export const PERMITS_PER_RECEIVER = 2;
/** Small enough for an event to take several transactions. */
const DISPATCH_LIMITS = { matches: 1, users: 2 };

/** The resources that all processes share. */
export interface Machine {
  scheduler: Scheduler;
  server: Server;
  redis: SimulatedRedis;
  send: (sender: StepTaker, ...delivery: Parameters<Channel['send']>) => ReturnType<Channel['send']>;
}

const noLog = { debug() {}, info() {}, warn() {}, error() {} };
const logger: Logger = noLog as unknown as Logger; // nobody reads it
// Shared, because nobody reads them and they are expensive to create.
const metrics = new Metrics();

/** Nobody streams here. */
const noStreams = { notify() {} };

/** How processes differ. */
interface ProcessSetting {
  /** The number of partitions in its configuration. */
  partitions: number;
  /** Whether each pass compares its cache with the database, or relies on it, as in production. */
  checksCache: boolean;
}

/** An API or worker process: the platform's own parts, on the simulated MySQL and Redis. */
export class SimulatedProcess implements StepTaker {
  isAlive = true;
  pausedUntilMs = 0;
  readonly pool: SimulatedPool;
  readonly container: Container;
  private readonly partitions: number;
  private readonly layout: PartitionLayout;
  private readonly writer: DataPointWriter;
  private readonly heartbeat: Heartbeat;
  private readonly pausedReceivers: PausedReceivers;
  private readonly firings: FiringsService;
  private readonly metatags: MetatagsService;
  private readonly environments: EnvironmentsService;
  private readonly scheduler: Scheduler;
  private readonly cuts = new Set<(error: Error) => void>();

  constructor(
    readonly name: string,
    readonly kind: 'api' | 'worker',
    machine: Machine,
    { partitions, checksCache }: ProcessSetting,
  ) {
    this.partitions = partitions;
    this.layout = new PartitionLayout(partitions);
    const { scheduler, server, redis } = machine;
    const clock: Clock = { now: () => scheduler.nowMs };
    this.scheduler = scheduler;
    this.pool = new SimulatedPool(server, this);
    const pool = this.pool.asPool;
    const queues = redis.queuesOf(this);
    // They need not agree on how many workers there are.
    const events = new EventShares({ latest: partitions === 3 ? undefined : partitions - 3 });
    const groups = { passes: new ShardAssignment(this.layout, { latest: 1 }), events };
    const jobQueue = new JobQueue(queues, redis, groups, logger, clock);
    const channel: Channel = { send: (delivery) => machine.send(this, delivery), close: async () => undefined };
    const entries = Object.keys(CHANNELS).map((type) => [type, channel]);
    const channels = Object.fromEntries(entries) as OpenChannels; // an entry for each key of the table
    this.pausedReceivers = new PausedReceivers(pool, clock);
    const allowances = new MailAllowances(pool, clock, { perUserHour: 200, perAddressHour: 60 });
    const mails = new MailGate(pool, clock, allowances, 'required', 'http://platform.test');
    const delivery = buildDelivery({
      pool,
      jobQueue,
      clock,
      logger,
      metrics,
      channels,
      mails,
      digests: new Digests(pool, clock, 30),
      holders: new RecordedHolders(pool),
      outgoing: new OutgoingBuilder(new SecretBox(() => Buffer.alloc(32)), 'http://platform.test'),
      computing: new DeliveryComputing(new FairShareScheduler(() => 0)),
      limits: { perReceiver: PERMITS_PER_RECEIVER, perProcess: DELIVERIES_AT_ONCE },
    });
    delivery.runner.open();
    this.writer = new DataPointWriter(pool, jobQueue, clock, this.layout, metrics, noStreams);
    this.heartbeat = new Heartbeat(pool, clock, logger, (connection) => this.layout.refresh(connection));
    const database = databaseOf(this.pool, scheduler);
    const newTexts = () => new PacedTexts(new FairShareScheduler(() => 0));
    const ends = new DeliveredEnds(delivery.runner, jobQueue, clock, newTexts);
    const eventLog = new EventLog(database, jobQueue, clock);
    this.firings = new FiringsService(database, jobQueue, ends, clock);
    this.metatags = new MetatagsService(database, new SensorAccess(database), eventLog);
    this.environments = new EnvironmentsService(database, eventLog, clock);
    const ask = () => Promise.reject(new Error('not used'));
    const decisionLog = new DecisionLog({ ask }, '', { ofTriggers: 0, days: 1 }, logger); // switched off
    const parts = {
      config: { partitions: MOST_PARTITIONS, deliveryConcurrency: DELIVERIES_AT_ONCE },
      clock,
      logger,
      database: { pool },
      queues,
      jobQueue,
      metrics,
      evaluationConsumer: new EvaluationConsumer(
        {
          pool,
          clock,
          layout: this.layout,
          shares: new FairShareScheduler(() => 0),
          store: new TriggerStore({ limits: { soleMs: 0, states: 1, rows: 3, ageMs: 1_000, pauseMs: 0 }, checksCache }),
        },
        { jobQueue, deliveries: delivery.runner, decisionLog, metrics, logger, streamSignal: noStreams },
      ),
      delivery,
      schedule: new Schedule({
        reconciler: new Reconciler(pool, jobQueue, delivery, new Probes(pool, clock, logger), clock),
        selectors: this.asRunning(new SelectorFollower(database, { events: eventLog, ends }, clock, logger)),
        fleetFollower: { run: async () => undefined }, // the owner connects the members of fleets
        fleetFolder: new FleetFolder({
          database,
          clock,
          layout: this.layout,
          jobQueue,
          streamSignal: noStreams,
          logger,
        }),
        latePoints: { run: async () => undefined }, // no trigger of a scenario reports them
        shadows: { endDue: async () => undefined },
        weeklyReports: { run: async () => undefined }, // no user of a scenario has one
        purge: buildPurge({ pool, clock, logger, ...KEEPS_ALL }),
        metrics,
      }),
      eventDispatcher: new EventDispatcher(
        pool,
        clock,
        { jobQueue, deliveries: delivery.runner, metrics, logger, newTexts },
        DISPATCH_LIMITS,
      ),
    };
    this.container = parts as unknown as Container; // all that the handlers of the queues use
  }

  /** Makes a number of partitions, at first its own, the one that counts; where that fails, it learns of the others' later. */
  async prepare(partitions = this.partitions): Promise<void> {
    await this.layout.change(this.pool.asPool, partitions).catch(() => undefined);
  }

  /** One heartbeat; the platform only logs a failed one. */
  async beat(): Promise<void> {
    await this.heartbeat.beat().catch(() => undefined);
  }

  /** An upload, as its client sees it: stored, refused, or cut off by the end of the process. */
  upload(batch: PointBatch): Promise<void> {
    return this.unlessCut(async () => {
      const outcome = await this.writer.write(OWNER_ID, [batch]);
      if (typeof outcome === 'string') throw new Error(outcome);
    });
  }

  /** An edit of a sensor, as its service makes it. */
  rename(sensorId: number, name: string): Promise<void> {
    return this.unlessCut(() =>
      editRulesOn(this.pool.asPool, async (edit) => {
        const { connection } = edit;
        await edit.affects({ sensorIds: [sensorId] });
        await connection.query('UPDATE sensors SET name = ? WHERE id = ?', [name, sensorId]);
      }),
    );
  }

  /** An action of the owner on an open episode, by its firing. */
  act(action: 'acknowledge' | 'resolve', firingId: number): Promise<void> {
    return this.unlessCut(async () => {
      if (action === 'resolve') await this.firings.resolve(OWNER_ID, firingId);
      else await this.firings.acknowledge({ userId: OWNER_ID }, firingId, undefined);
    });
  }

  /** Gives a sensor this kind as its only metatag. */
  tag(sensorId: number, kind: string): Promise<void> {
    return this.unlessCut(async () => {
      this.scheduler.begin(this);
      await this.metatags.replace(OWNER_ID, sensorId, 'default', new Map([['kind', [kind]]]));
    });
  }

  /** Gives an environment another outline. */
  moveZone(id: number, gpsOutline: string): Promise<void> {
    return this.unlessCut(async () => {
      this.scheduler.begin(this);
      await this.environments.update(OWNER_ID, id, { gpsOutline });
    });
  }

  /** Commands of an operator, as `npm run admin` does them. */
  pauseReceiver(receiver: string): Promise<void> {
    return this.unlessCut(async () => void (await this.pausedReceivers.pause(receiver, '')));
  }

  resumeReceiver(receiver: string): Promise<void> {
    return this.unlessCut(async () => void (await this.pausedReceivers.resume(receiver)));
  }

  /** Work that begins with a statement of a model, in this process. */
  private asRunning(work: { run(): Promise<void> }): { run(): Promise<void> } {
    return {
      run: () => {
        this.scheduler.begin(this);
        return work.run();
      },
    };
  }

  /** What a client waits for: nothing comes back from a process that has ended. */
  private unlessCut(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.cuts.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => this.cuts.delete(reject));
    });
  }

  /** Ends immediately. MySQL notices later: see `SimulatedPool.cut`. */
  die(): void {
    this.isAlive = false;
    for (const cut of this.cuts) cut(new Error('connection cut'));
  }
}

/** The simulated MySQL as the services use it: the models, and one pool for everything. */
function databaseOf(pool: SimulatedPool, scheduler: Scheduler): Database {
  const sequelize = simulatedModels(() => {
    const { running } = scheduler;
    if (!(running instanceof SimulatedProcess)) throw new Error('a model is used, but no process is running');
    return running.pool;
  });
  return { sequelize, pool: pool.asPool, reads: pool.asPool, selections: pool.asPool } as unknown as Database; // all that they use
}
