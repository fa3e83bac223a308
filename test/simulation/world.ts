import { SCHEDULED, type ScheduledName } from '../../jobs/schedule.job';
import { LOCK_MS } from '../../workers/run-worker';
import type { TableShape } from './database/schema';
import { type DatabaseAction, SimulatedDatabase } from './database/simulated-database';
import type { Transaction } from './database/transaction';
import type { Incident, Span } from './history';
import { JobRunner } from './job-runner';
import type { Random } from './random';
import { Receivers } from './receivers';
import { Scheduler, type StepKind, type StepTaker, type Surroundings, type Timer } from './scheduler';
import type { PlantedFault, Server } from './simulated-pool';
import { type Machine, PARTITION_COUNTS, SimulatedProcess } from './simulated-process';
import { SimulatedRedis, type WakeUpFaults } from './simulated-redis';

/** Part of an interval for which a run counts: virtual timers of several workers do not tick at the same moment. */
const SHARED_PART = 0.8;

const START_MS = Date.UTC(2026, 0, 5, 12);
const BEAT_MS = 500;

/** Called for every action on the database. */
export type Observe = (transaction: Transaction, action: DatabaseAction) => void;

/** A possible fault at a step; it decides whether the step is performed. */
export type StepFault = (taker: SimulatedProcess, kind: StepKind, act: () => unknown) => unknown;

/** The processes, MySQL, Redis and the receivers of one simulated platform, and the faults that can happen to them. */
export class World implements Surroundings {
  readonly scheduler: Scheduler;
  readonly database: SimulatedDatabase;
  readonly redis: SimulatedRedis;
  readonly receivers: Receivers;
  readonly processes: SimulatedProcess[] = [];
  readonly incidents: Incident[] = [];
  readonly outages: Span[] = [];
  stepFault: StepFault = (_actor, _kind, act) => act();
  private readonly jobs: JobRunner;
  private readonly server: Server;
  private readonly machine: Machine;
  /** Heartbeats of API processes, and the schedules of workers. */
  private readonly repeated = new Map<SimulatedProcess, Timer[]>();
  private unavailableSinceMs: number | null = null;
  private starts = 0;
  private isRetired = false;
  private hangsUntilMs = 0;
  /** Dead processes whose connections are still open for MySQL. */
  private lingering = 0;

  constructor(
    readonly random: Random,
    shapes: readonly TableShape[],
    nudges: WakeUpFaults,
    planted: PlantedFault = {},
    observe?: Observe,
  ) {
    this.scheduler = new Scheduler(START_MS, random);
    const { table, column = '' } = planted.withoutKeys ?? {};
    const known = shapes.map((shape) =>
      shape.name === table ? { ...shape, keys: shape.keys.filter((key) => !key.includes(column)) } : shape,
    );
    this.database = new SimulatedDatabase(known, observe);
    this.redis = new SimulatedRedis(this.scheduler, random, nudges);
    this.jobs = new JobRunner(this.redis, this.scheduler, random);
    this.redis.onFault = (untilMs) => this.note(untilMs, 'wake-up');
    this.receivers = new Receivers(this.scheduler, random);
    this.server = { database: this.database, scheduler: this.scheduler, isUp: true, planted };
    const { scheduler, server, redis } = this;
    const send: Machine['send'] = (sender, delivery) => this.receivers.send(sender, delivery);
    this.machine = { scheduler, server, redis, send };
  }

  /** Besides the disasters; a planted fault says how often, and otherwise the plan of the seed. */
  get partitionChanges(): number | undefined {
    return this.server.planted.partitionChanges;
  }

  get nowMs(): number {
    return this.scheduler.nowMs;
  }

  alive(kind: SimulatedProcess['kind']): SimulatedProcess[] {
    return this.processes.filter((process) => process.isAlive && process.kind === kind);
  }

  /** Starts an API process as `server.ts` does, or a worker as `workers/index.ts` does. */
  start(kind: SimulatedProcess['kind']): void {
    if (!this.server.isUp) {
      this.scheduler.after(1_000, () => this.start(kind));
      return;
    }
    this.starts += 1;
    const process = new SimulatedProcess(`${kind} ${this.starts}`, kind, this.machine, {
      partitions: this.random.pick(PARTITION_COUNTS),
      checksCache: this.random.chance(0.5),
    });
    process.pausedUntilMs = this.hangsUntilMs;
    this.processes.push(process);
    void process.prepare();
    if (kind === 'worker') this.schedule(process);
    else {
      void process.beat();
      this.repeated.set(process, [this.scheduler.after(BEAT_MS, () => void process.beat(), BEAT_MS)]);
      this.watchAvailability();
    }
  }

  /** Ends the service of the API processes: from now on only workers are active. */
  retire(): void {
    for (const api of this.alive('api')) this.endRepeated(api);
    this.isRetired = true;
  }

  /** Ends a process between two of its steps. MySQL and Redis notice after a while; another process replaces it. */
  kill(process: SimulatedProcess): void {
    if (!process.isAlive) return;
    const running = this.redis.runningOf(process);
    process.die();
    this.processes.splice(this.processes.indexOf(process), 1);
    this.scheduler.forget(process);
    this.endRepeated(process);
    this.lingering += 1;
    this.scheduler.after(this.random.between(0, 3_000), () => {
      process.pool.cut();
      this.lingering -= 1;
    });
    for (const { queue, job } of running) this.jobs.expectStall(queue, job, process);
    const backMs = this.random.between(100, 8_000);
    this.scheduler.after(backMs, () => this.start(process.kind));
    this.note(this.nowMs + backMs);
    this.watchAvailability();
  }

  /**
   * The process freezes, as when it is swapped out or stopped, and later continues as if nothing had happened. A shorter
   * pause within a longer one changes nothing.
   */
  pause(process: SimulatedProcess, ms: number): void {
    process.pausedUntilMs = Math.max(process.pausedUntilMs, this.nowMs + ms);
    for (const { queue, job } of this.redis.runningOf(process)) {
      if (ms > LOCK_MS) this.jobs.expectStall(queue, job, process);
    }
    this.note(process.pausedUntilMs);
  }

  /** MySQL does not respond for a while, and then continues. */
  hangDatabase(ms: number): void {
    this.hangsUntilMs = Math.max(this.hangsUntilMs, this.nowMs + ms);
    for (const process of this.processes) this.pause(process, ms);
    this.outages.push({ fromMs: this.nowMs, toMs: this.nowMs + ms });
  }

  /** The whole machine freezes. */
  freeze(ms: number): void {
    this.outages.push({ fromMs: this.nowMs, toMs: this.nowMs + ms });
    this.note(this.nowMs + ms);
    this.scheduler.nowMs += ms;
  }

  stopDatabase(ms: number): void {
    if (!this.server.isUp) return;
    this.server.isUp = false;
    for (const process of this.processes) process.pool.cut();
    this.note(this.nowMs + ms);
    this.watchAvailability();
    this.scheduler.after(ms, () => {
      this.server.isUp = true;
      this.watchAvailability();
    });
  }

  stopRedis(ms: number): void {
    this.redis.isUp = false;
    this.note(this.nowMs + ms);
    this.scheduler.after(ms, () => {
      this.redis.isUp = true;
    });
  }

  emptyRedis(): void {
    this.redis.empty();
    this.note(this.nowMs);
  }

  /** Records a fault that lasts until then. */
  note(untilMs: number, kind: Incident['kind'] = 'process'): void {
    this.incidents.push({ fromMs: this.nowMs, toMs: untilMs, kind });
  }

  dispatch(): boolean {
    return this.jobs.dispatch(this.alive('worker'));
  }

  perform(taker: StepTaker, kind: StepKind, act: () => unknown): unknown {
    return taker instanceof SimulatedProcess ? this.stepFault(taker, kind, act) : act();
  }

  nextDueMs(): number {
    if (this.isUnsettled()) return this.nowMs;
    if (this.database.table('inbox_batches').entries.size + this.database.table('events').entries.size > 0)
      return this.nowMs;
    const isFolding = this.database.rows('fleets').some((row) => row.next_due_ms === 0);
    if (isFolding || this.database.table('fleet_changes').entries.size > 0) return this.nowMs;
    const isFollowing = this.database.rows('selector_owners').some((row) => row.watched === 1 && row.version !== null);
    if (isFollowing) return this.nowMs;
    const dues = this.database
      .rows('sensor_triggers')
      .filter(({ active }) => active === 1)
      .flatMap((row) =>
        [row.due_at_ms ?? null, row.condition_due_ms ?? null].filter((due) => due !== null).map(Number),
      );
    const deliveries = this.database
      .rows('deliveries')
      .flatMap((row) =>
        row.status === 'pending' ? [Math.max(Number(row.next_attempt_ms), Number(row.lease_until_ms ?? 0))] : [],
      );
    return Math.min(...dues, ...deliveries, this.redis.nextReadyMs());
  }

  onIdle(untilMs: number): void {
    if (this.unavailableSinceMs !== null || this.isRetired) return;
    const transaction = this.database.begin('heartbeats in between', untilMs);
    this.database.run('UPDATE heartbeats SET accepting_until_ms = ? WHERE id = 1', [untilMs], transaction);
    this.database.commit(transaction, untilMs);
  }

  /** Whether time must not be skipped, because the state of processes is still going to change. */
  private isUnsettled(): boolean {
    if (this.lingering > 0 || this.processes.some(({ pausedUntilMs }) => pausedUntilMs > this.nowMs)) return true;
    if (this.unavailableSinceMs !== null || this.isRetired) return false;
    // The next heartbeat will store an outage.
    const [heartbeat] = this.database.rows('heartbeats');
    return this.nowMs - Number(heartbeat?.accepting_until_ms) > 2 * BEAT_MS;
  }

  /** As BullMQ hands out repeatable jobs, in virtual time. */
  private schedule(worker: SimulatedProcess): void {
    const timers: Timer[] = [];
    const jobs = this.redis.repeatableJobsOf(worker);
    for (const [name, everyMs] of Object.entries(SCHEDULED)) {
      const run = async () => {
        if (!(await jobs.take(name, everyMs * SHARED_PART))) return;
        await worker.container.schedule.run(name as ScheduledName).catch(() => undefined); // one of its keys
      };
      timers.push(this.scheduler.after(this.random.between(1, everyMs), () => void run(), everyMs));
    }
    this.repeated.set(worker, timers);
  }

  private endRepeated(process: SimulatedProcess): void {
    for (const timer of this.repeated.get(process) ?? []) this.scheduler.cancel(timer);
    this.repeated.delete(process);
  }

  private watchAvailability(): void {
    const isAvailable = this.server.isUp && this.alive('api').length > 0;
    if (!isAvailable) this.unavailableSinceMs ??= this.nowMs;
    else if (this.unavailableSinceMs !== null) {
      this.outages.push({ fromMs: this.unavailableSinceMs, toMs: this.nowMs });
      this.unavailableSinceMs = null;
    }
  }
}
