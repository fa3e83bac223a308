import { type FaultPlan, injectFaults, planFaults } from './chaos';
import { runClient, runOperator, runOwner } from './clients';
import { readShapes, type TableShape } from './database/schema';
import { Blocked } from './database/transaction';
import { buildDependents, runDependencyEditor } from './dependents';
import { buildFleet } from './fleets';
import type { AnsweredUpload, History, Pause } from './history';
import { buildLocated, runSurveyor } from './located';
import { runResponder, runTagger } from './owners-actions';
import { Random } from './random';
import { buildScenario } from './scenario';
import { linksOf } from './selected-links';
import type { PlantedFault } from './simulated-pool';
import type { ClientPlan } from './upload-plans';
import { inVirtualTime } from './virtual-time';
import { type Observe, World } from './world';

const ACTIVE_MS = 240_000;
/** After the last fault: long enough to catch up. */
const QUIET_MS = 90_000;
/** More steps mean that the simulation never comes to rest. */
const MOST_STEPS = 400_000;

/** What only some simulations have, so that the others stay as their seeds made them. */
export interface Extra {
  dependents?: boolean;
  zones?: boolean;
  fleets?: boolean;
}

let shapes: Promise<TableShape[]> | undefined;

/** Simulates the platform as the seed decides, until nothing waits. Only one at a time, as time is global. */
export async function simulate(
  seed: number,
  planted: PlantedFault = {},
  observe?: Observe,
  extra: Extra = {},
): Promise<History> {
  shapes ??= readShapes();
  // A simulation consists of microtasks only: real timers and signals are handled between two of them.
  await new Promise((resolve) => setImmediate(resolve));
  const random = new Random(seed);
  const faults = planFaults(random, seed);
  const world = new World(random, await shapes, faults.nudges, planted, observe);
  const scenario = buildScenario(random, world.database, world.nowMs);
  const dependents = extra.dependents ? buildDependents(random, world.database, world.nowMs) : undefined;
  const members = extra.fleets ? buildFleet(random, world.database, world.nowMs) : [];
  const located = extra.zones ? buildLocated(random, world.database, world.nowMs) : undefined;
  for (let count = random.between(1, 2); count > 0; count -= 1) world.start('api');
  for (let count = random.between(1, 3); count > 0; count -= 1) world.start('worker');
  const uploads: AnsweredUpload[] = [];
  const pauses: Pause[] = [];
  let activeUntilMs = 0;
  let failure: unknown;
  const clients = [...scenario.clients, ...(dependents?.clients ?? []), ...(located?.clients ?? []), ...members];
  runWorld(world, clients, faults, { uploads, pauses }, extra).then(
    () => {
      activeUntilMs = world.nowMs;
    },
    (error: unknown) => {
      failure = error;
    },
  );
  await inVirtualTime(world.scheduler, random, () =>
    world.scheduler.run(world, () => failure !== undefined || isOver(world, activeUntilMs)),
  );
  if (failure !== undefined) throw failure;
  return {
    links: [...scenario.links, ...(located?.links ?? []), ...linksOf(scenario.selection, world.database.commits)],
    selection: scenario.selection,
    ...(dependents && { dependents }),
    firingListeners: scenario.firingListeners,
    commits: world.database.commits,
    uploads,
    requests: world.receivers.requests,
    incidents: world.incidents,
    pauses,
    outages: world.outages,
    activeUntilMs,
    isCalm: faults.isCalm,
    cameToRest: world.scheduler.stepCount <= MOST_STEPS,
    rows: (table) => world.database.rows(table),
    steps: world.scheduler.stepCount,
  };
}

/** Clients and faults, then some time without faults, and the end of all inactivities. */
async function runWorld(
  world: World,
  plans: readonly ClientPlan[],
  faults: FaultPlan,
  { uploads, pauses }: Pick<History, 'uploads' | 'pauses'>,
  extra: Extra,
): Promise<void> {
  const { calm } = injectFaults(world, faults, ACTIVE_MS);
  const sensorIds = [...new Set(plans.map(({ sensorId }) => sensorId))];
  const clients = plans.map((plan) => runClient(world, plan, uploads));
  clients.push(runOwner(world, sensorIds, world.nowMs + ACTIVE_MS));
  clients.push(runTagger(world, sensorIds, world.nowMs + ACTIVE_MS), runResponder(world, world.nowMs + ACTIVE_MS));
  clients.push(runOperator(world, pauses, world.nowMs + ACTIVE_MS));
  if (extra.dependents) clients.push(runDependencyEditor(world, world.nowMs + ACTIVE_MS));
  if (extra.zones) clients.push(runSurveyor(world, world.nowMs + ACTIVE_MS));
  await world.scheduler.sleep(ACTIVE_MS);
  calm();
  await Promise.all(clients);
  await world.scheduler.sleep(QUIET_MS);
  await switchOff(world);
  world.retire();
}

function isOver(world: World, activeUntilMs: number): boolean {
  if (world.scheduler.stepCount > MOST_STEPS) return true;
  return activeUntilMs > 0 && !Number.isFinite(world.nextDueMs());
}

/** The owner deactivates every sensor trigger, so that inactivities end. */
async function switchOff(world: World): Promise<void> {
  for (;;) {
    const transaction = world.database.begin('owner', world.nowMs);
    try {
      world.database.run(
        'UPDATE sensor_triggers SET active = FALSE, inactive_since_ms = NULL, due_at_ms = NULL',
        [],
        transaction,
      );
      world.database.run('UPDATE partitions SET state_epoch = state_epoch + 1', [], transaction);
      world.database.commit(transaction, world.nowMs);
      return;
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      world.database.rollback(transaction);
      await world.scheduler.sleep(10);
    }
  }
}
