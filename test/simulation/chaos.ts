import { LEASE_MS } from '../../src/notifications/delivery/leases';
import { DatabaseError } from './database/transaction';
import type { Random } from './random';
import type { StepKind } from './scheduler';
import { PARTITION_COUNTS, type SimulatedProcess } from './simulated-process';
import type { WakeUpFaults } from './simulated-redis';
import type { World } from './world';

const RELIABLE: WakeUpFaults = { lost: 0, doubled: 0, delayed: 0, reordered: 0 };

/** The faults of one run, chosen by its seed: every fifth run has none. */
export interface FaultPlan {
  isCalm: boolean;
  stepFaults: number;
  /** How often a worker is paused for a moment after a statement, from 0 to 1. */
  pauses: number;
  disasters: number;
  /** How often processes start that have another number of partitions, besides disasters. */
  partitionChanges: number;
  nudges: WakeUpFaults;
}

export function planFaults(random: Random, seed: number): FaultPlan {
  if (seed % 5 === 0) {
    return { isCalm: true, stepFaults: 0, pauses: 0, disasters: 0, partitionChanges: 0, nudges: RELIABLE };
  }
  const rate = () => random.pick([0, 0, 0.02, 0.2]);
  return {
    isCalm: false,
    stepFaults: random.pick([0, 0.002, 0.01]),
    pauses: random.pick([0, 0.01, 0.05]),
    disasters: random.between(0, 4),
    partitionChanges: random.pick([0, 0, 0, 12]),
    nudges: { lost: rate(), doubled: rate(), delayed: rate(), reordered: rate() },
  };
}

/** Schedules disasters within the first `spanMs`, and injects small faults at any step until `calm`. */
export function injectFaults(
  world: World,
  { stepFaults, pauses, disasters, partitionChanges, nudges }: FaultPlan,
  spanMs: number,
): { calm(): void } {
  let [rate, pauseRate] = [stepFaults, pauses];
  world.stepFault = (taker, kind, act) => {
    if (taker.kind === 'worker' && kind === 'statement' && world.random.chance(pauseRate))
      world.pause(taker, world.random.between(100, 4_000));
    // Attempts are few among all steps.
    if (!world.random.chance(kind === 'response' ? 10 * rate : rate)) return act();
    return failStep(world, taker, kind, act);
  };
  for (let index = 0; index < disasters; index += 1) {
    world.scheduler.after(world.random.between(0, spanMs), () => disaster(world));
  }
  for (let index = 0; index < (world.partitionChanges ?? partitionChanges); index += 1) {
    world.scheduler.after(world.random.between(0, spanMs), () => changePartitions(world));
  }
  return {
    calm: () => {
      [rate, pauseRate] = [0, 0];
      Object.assign(nudges, RELIABLE);
    },
  };
}

function failStep(world: World, taker: SimulatedProcess, kind: StepKind, act: () => unknown): unknown {
  const { random } = world;
  world.note(world.nowMs);
  const fault = random.pick(['crash-before', 'crash-after', 'error-before', 'error-after', 'pause'] as const);
  switch (fault) {
    case 'crash-before':
      world.kill(taker);
      return undefined;
    case 'crash-after':
      act();
      world.kill(taker);
      return undefined;
    case 'pause':
      if (taker.kind === 'worker') world.pause(taker, pauseMs(random));
      return act();
    case 'error-before':
      // An attempt fails only in the receiver's way; but its worker may be paused for longer than its lease lasts.
      if (kind === 'send' || kind === 'response') {
        world.pause(taker, random.between(LEASE_MS, 4 * LEASE_MS));
        return act();
      }
      throw new DatabaseError(kind === 'statement' ? 'ER_LOCK_DEADLOCK' : 'PROTOCOL_CONNECTION_LOST');
    case 'error-after': {
      const value = act();
      // The change was made, but its confirmation is lost.
      if (kind === 'commit' || kind === 'enqueue') throw new DatabaseError('PROTOCOL_CONNECTION_LOST');
      return value;
    }
  }
}

function disaster(world: World): void {
  const { random } = world;
  const disasters = [
    () => killOne(world, 'worker'),
    () => killOne(world, 'api'),
    () => {
      for (const process of world.alive('api')) world.kill(process);
    },
    () => {
      for (const process of [...world.processes]) world.kill(process);
    },
    () => {
      const worker = world.alive('worker')[0];
      if (worker) world.pause(worker, pauseMs(random));
    },
    () => world.hangDatabase(random.between(500, 40_000)),
    () => world.freeze(random.between(500, 90_000)),
    () => world.stopDatabase(random.between(500, 30_000)),
    () => world.stopRedis(random.between(500, 20_000)),
    () => world.emptyRedis(),
    () => changePartitions(world),
  ];
  random.pick(disasters)();
}

function killOne(world: World, kind: SimulatedProcess['kind']): void {
  const processes = world.alive(kind);
  if (processes.length > 0) world.kill(world.random.pick(processes));
}

/** As when processes with other settings start, several times. */
function changePartitions(world: World): void {
  const { random } = world;
  for (let change = random.between(1, 6), afterMs = 0; change > 0; change -= 1, afterMs += random.between(10, 3_000)) {
    const partitions = random.pick(PARTITION_COUNTS);
    world.scheduler.after(afterMs, () => {
      const processes = [...world.alive('api'), ...world.alive('worker')];
      if (processes.length > 0) void random.pick(processes).prepare(partitions);
    });
  }
}

function pauseMs(random: Random): number {
  return random.chance(0.5) ? random.between(100, 4_000) : random.between(4_000, 70_000);
}
