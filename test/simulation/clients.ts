import type { AnsweredUpload } from './history';
import { type ClientPlan, datedPoints } from './scenario';
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
