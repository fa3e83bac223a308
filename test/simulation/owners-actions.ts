import { SELECTED_KIND, SELECTING_ID } from './scenario';
import type { World } from './world';

/** From when on an owner acts too early or too late, in ms, if they act about when an escalation is due. */
const CLOSE_MS = 40;

/** Gives sensors the metatag of the selector, and takes it away, now and then. A change that fails is not repeated. */
export async function runTagger(world: World, sensorIds: readonly number[], untilMs: number): Promise<void> {
  for (;;) {
    const isSoon = world.random.chance(0.4);
    await world.scheduler.sleep(isSoon ? world.random.between(10, 3_000) : world.random.between(5_000, 60_000));
    const apis = world.alive('api');
    if (world.nowMs > untilMs) return;
    if (apis.length === 0) continue;
    const open = world.database
      .rows('firings')
      .filter((row) => row.is_lasting === 1 && row.trigger_id === SELECTING_ID);
    const firing = open.length > 0 && world.random.chance(0.4) ? world.random.pick(open) : undefined;
    const kind = !firing && world.random.chance(0.8) ? SELECTED_KIND : 'warm';
    await world.random
      .pick(apis)
      .tag(firing ? Number(firing.sensor_id) : world.random.pick(sensorIds), kind)
      .catch(() => undefined);
  }
}

/** Acknowledges and resolves open episodes now and then, mostly at the moment when an escalation is due. */
export async function runResponder(world: World, untilMs: number): Promise<void> {
  for (;;) {
    await world.scheduler.sleep(world.random.between(100, 15_000));
    const open = world.database
      .rows('firings')
      .filter((row) => row.is_lasting === 1 && row.reason === 'expression' && row.episode_id === null);
    if (world.nowMs > untilMs) return;
    if (open.length === 0) continue;
    const firingId = Number(world.random.pick(open).id);
    const waiting = world.database
      .rows('deliveries')
      .find((row) => row.firing_id === firingId && row.escalation === 1 && row.status === 'pending');
    const offsetMs = world.random.between(-CLOSE_MS, CLOSE_MS);
    const atMs = waiting ? Number(waiting.next_attempt_ms) + offsetMs : world.nowMs;
    // What waits for the end of another alert may be due in a year.
    if (atMs > untilMs) continue;
    await world.scheduler.sleep(Math.max(0, atMs - world.nowMs));
    const apis = world.alive('api');
    if (apis.length === 0) continue;
    await world.random
      .pick(apis)
      .act(world.random.chance(0.6) ? 'acknowledge' : 'resolve', firingId)
      .catch(() => undefined);
  }
}
