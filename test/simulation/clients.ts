import { receiverOf } from '../../src/notifications/delivery/channels';
import type { AnsweredUpload, Pause } from './history';
import { addressOf, BEHAVIOURS } from './receivers';
import type { SimulatedProcess } from './simulated-process';
import { type ClientPlan, datedPoints } from './upload-plans';
import type { World } from './world';

/** Sends the uploads of the plan, and repeats an upload until it succeeds, as clients do. */
export async function runClient(world: World, plan: ClientPlan, uploads: AnsweredUpload[]): Promise<void> {
  const taken = new Set<number>();
  const pending: Promise<void>[] = [];
  for (const { waitMs, points } of plan.uploads) {
    await world.scheduler.sleep(waitMs);
    const dated = datedPoints(points, world.nowMs, taken);
    const sending = sendUntilStored(world, plan.sensorId, dated, uploads);
    pending.push(sending);
    if (plan.isPatient) await sending;
  }
  await Promise.all(pending);
}

/** Renames sensors now and then; an edit that fails is not repeated. */
export async function runOwner(world: World, sensorIds: readonly number[], untilMs: number): Promise<void> {
  for (let edit = 1; world.nowMs < untilMs; edit += 1) {
    await world.scheduler.sleep(world.random.between(100, 40_000));
    const apis = world.alive('api');
    if (apis.length === 0) continue;
    await world.random
      .pick(apis)
      .rename(world.random.pick(sensorIds), `renamed ${edit}`)
      .catch(() => undefined);
  }
}

/** Pauses receivers now and then, and resumes them; an operator repeats a command until it has succeeded. */
export async function runOperator(world: World, pauses: Pause[], untilMs: number): Promise<void> {
  if (!world.random.chance(0.4)) return;
  for (;;) {
    await world.scheduler.sleep(world.random.between(1_000, 60_000));
    if (world.nowMs > untilMs) return;
    const chosen = BEHAVIOURS.filter(() => world.random.chance(0.7));
    await Promise.all(chosen.map((behaviour) => pauseOne(world, receiverOf('url', addressOf(behaviour)), pauses)));
  }
}

async function pauseOne(world: World, receiver: string, pauses: Pause[]): Promise<void> {
  await repeat(world, (process) => process.pauseReceiver(receiver));
  const fromMs = world.nowMs;
  await world.scheduler.sleep(world.random.between(500, 10_000));
  pauses.push({ receiver, fromMs, toMs: world.nowMs });
  await repeat(world, (process) => process.resumeReceiver(receiver));
}

async function repeat(world: World, command: (process: SimulatedProcess) => Promise<void>): Promise<void> {
  for (;;) {
    const [process] = world.alive('api');
    const isDone =
      process &&
      (await command(process).then(
        () => true,
        () => false,
      ));
    if (isDone) return;
    await world.scheduler.sleep(world.random.between(50, 1_500));
  }
}

async function sendUntilStored(
  world: World,
  sensorId: number,
  points: AnsweredUpload['points'],
  uploads: AnsweredUpload[],
): Promise<void> {
  for (;;) {
    const apis = world.alive('api');
    if (apis.length > 0) {
      try {
        await world.random.pick(apis).upload({ sensorId, points, receivedMs: world.nowMs });
        uploads.push({ sensorId, points, answeredMs: world.nowMs });
        return;
      } catch {
        // Repeated below.
      }
    }
    await world.scheduler.sleep(world.random.between(50, 1_500));
  }
}
