import { NotSimulated } from './database/not-simulated';
import { Blocked, DatabaseError, type Transaction } from './database/transaction';
import type { Random } from './random';

/** MySQL's limit for the wait of a statement for a row. */
const LOCK_WAIT_MS = 50_000;

export type StepKind = 'connect' | 'statement' | 'commit' | 'enqueue' | 'send' | 'response';

/** A process of the platform, which takes steps. */
export interface StepTaker {
  readonly name: string;
  readonly isAlive: boolean;
  readonly pausedUntilMs: number;
}

interface Step {
  taker: StepTaker;
  kind: StepKind;
  act: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  giveUp: () => void;
  blockedBy: Transaction | null;
  sinceMs: number;
}

export interface Timer {
  atMs: number;
  act: () => void;
  /** The interval of repetitions; idle ones may be skipped. */
  everyMs: number | null;
  /** The timer ends with its owner and waits while its owner is paused. */
  owner: StepTaker | null;
}

/** The interface of the world for the scheduler. */
export interface Surroundings {
  /** Starts the jobs that wait for a worker; returns whether there were any. */
  dispatch(): boolean;
  /** Performs the step, possibly with a fault. */
  perform(taker: StepTaker, kind: StepKind, act: () => unknown): unknown;
  /** The time of the next due row without a timer; not in the future when something waits. */
  nextDueMs(): number;
  /** Only idle repetitions happened until then. */
  onIdle(untilMs: number): void;
}

/**
 * A virtual clock, and every `await` of every process as a separate step: one step at a time is performed, chosen by
 * the seed, and time jumps to the next timer when there is none.
 */
export class Scheduler {
  private steps: Step[] = [];
  private timers: Timer[] = [];
  /** The process that is running: the one of the latest step, or of the timer that fires. */
  private current: StepTaker | null = null;
  stepCount = 0;

  constructor(
    public nowMs: number,
    private readonly random: Random,
  ) {}

  /**
   * Resolves when the step was performed, or rejects when `act` throws; never settles when its taker dies before.
   * `giveUp` is called when it has waited for a lock for too long.
   */
  step<T>(taker: StepTaker, kind: StepKind, act: () => T, giveUp: () => void = () => undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!taker.isAlive) {
        if (kind === 'enqueue') reject(new Error('the process is dead'));
        return;
      }
      // Only called with the result of `act`.
      const settle = resolve as (value: unknown) => void;
      this.steps.push({ taker, kind, act, resolve: settle, reject, giveUp, blockedBy: null, sinceMs: this.nowMs });
    });
  }

  /** The process that is running; `begin` makes one run that has not been waiting for a step or a timer. */
  get running(): StepTaker | null {
    return this.current;
  }

  begin(taker: StepTaker): void {
    this.current = taker;
  }

  after(ms: number, act: () => void, everyMs: number | null = null): Timer {
    return this.addTimer({ atMs: this.nowMs + ms, act, everyMs, owner: null });
  }

  /** A timer of the process that is running. */
  afterOwn(ms: number, act: () => void): Timer {
    return this.addTimer({ atMs: this.nowMs + ms, act, everyMs: null, owner: this.current });
  }

  cancel(timer: Timer): void {
    this.timers = this.timers.filter((other) => other !== timer);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Drops the steps of a dead taker. Enqueueing fails instead, because it has a timer of the real clock. */
  forget(taker: StepTaker): void {
    const dead = this.steps.filter((step) => step.taker === taker);
    this.steps = this.steps.filter((step) => step.taker !== taker);
    this.timers = this.timers.filter(({ owner }) => owner !== taker);
    for (const { kind, reject } of dead) if (kind === 'enqueue') reject(new Error('the process died'));
  }

  /** Runs until `isDone` and nothing can be done at this moment. */
  async run(around: Surroundings, isDone: () => boolean): Promise<void> {
    for (;;) {
      // The next process to be killed must not continue with an earlier result.
      await settled();
      if (this.fireTimer() || around.dispatch()) continue;
      const step = this.pick();
      if (step) this.take(step, around);
      else if (isDone()) return;
      else this.advance(around);
    }
  }

  private pick(): Step | undefined {
    const ready = this.steps.filter((step) => readyMs(step) <= this.nowMs);
    return ready.length === 0 ? undefined : this.random.pick(ready);
  }

  private take(step: Step, around: Surroundings): void {
    this.stepCount += 1;
    this.current = step.taker;
    if (this.random.chance(0.5)) this.nowMs += 1;
    const waitedTooLong = step.blockedBy?.isOpen && this.nowMs - step.sinceMs >= LOCK_WAIT_MS;
    try {
      if (waitedTooLong) {
        step.giveUp();
        throw new DatabaseError('ER_LOCK_WAIT_TIMEOUT');
      }
      const value = around.perform(step.taker, step.kind, step.act);
      this.remove(step);
      if (step.taker.isAlive) step.resolve(value);
      else if (step.kind === 'enqueue') step.reject(new Error('the process died'));
    } catch (error) {
      if (error instanceof Blocked) {
        step.blockedBy = error.by;
        return;
      }
      // The platform must not treat this as a failure of MySQL and continue.
      if (error instanceof NotSimulated) throw error;
      this.remove(step);
      // A statement that waited for a row may hold others. If a fault ends it, MySQL releases them.
      if (step.blockedBy) step.giveUp();
      if (step.taker.isAlive || step.kind === 'enqueue') step.reject(error);
    }
  }

  private remove(step: Step): void {
    const index = this.steps.indexOf(step);
    if (index >= 0) this.steps.splice(index, 1);
  }

  /** Fires the timer that is due first; returns whether there was one. */
  private fireTimer(): boolean {
    const next = this.earliest();
    if (!next || next.atMs > this.nowMs) return false;
    const pausedUntilMs = next.owner?.pausedUntilMs ?? 0;
    if (pausedUntilMs > this.nowMs) {
      next.atMs = pausedUntilMs;
      return true;
    }
    if (next.everyMs === null) this.cancel(next);
    // Repetitions that were missed while everything was frozen happen once.
    else next.atMs += Math.ceil((this.nowMs - next.atMs + 1) / next.everyMs) * next.everyMs;
    this.current = next.owner;
    next.act();
    return true;
  }

  private addTimer(timer: Timer): Timer {
    this.timers.push(timer);
    return timer;
  }

  private earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.timers) if (!earliest || timer.atMs < earliest.atMs) earliest = timer;
    return earliest;
  }

  /** Advances to the next moment at which something happens; idle repetitions are skipped. */
  private advance(around: Surroundings): void {
    const waits = this.steps.map(readyMs);
    const once = this.timers.filter(({ everyMs }) => everyMs === null).map(({ atMs }) => atMs);
    const busyMs = Math.min(...waits, ...once, around.nextDueMs());
    if (Number.isFinite(busyMs) && busyMs > this.nowMs) this.skipTo(busyMs, around);
    const next = Math.min(this.earliest()?.atMs ?? Number.POSITIVE_INFINITY, ...waits);
    if (!Number.isFinite(next)) throw new Error('no step or timer is left');
    this.nowMs = Math.max(this.nowMs, next);
  }

  private skipTo(untilMs: number, around: Surroundings): void {
    for (const timer of this.timers) {
      if (timer.everyMs === null || timer.atMs >= untilMs) continue;
      timer.atMs += Math.ceil((untilMs - timer.atMs) / timer.everyMs) * timer.everyMs;
    }
    this.nowMs = untilMs;
    around.onIdle(untilMs);
  }
}

/** The earliest known time at which a step can be performed. */
function readyMs({ taker, blockedBy, sinceMs }: Step): number {
  return Math.max(taker.pausedUntilMs, blockedBy?.isOpen ? sinceMs + LOCK_WAIT_MS : 0);
}

/** Resolves when all pending continuations have run: a tick follows all microtasks, including those they add. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
