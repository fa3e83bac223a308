import { setTimeout as sleep } from 'node:timers/promises';
import type { RowDataPacket } from 'mysql2/promise';
import { ALL_USERS } from '../../jobs/event.job';
import { POINT_MS } from '../../src/alerts/fleets/fleet-fold';
import type { Container } from '../../src/container';
import { systemClock } from '../../src/platform/clock';
import { handleDelivery } from '../../workers/delivery.worker';
import { handleEvaluation } from '../../workers/evaluation.worker';
import { handleEvents } from '../../workers/event.worker';
import { handleTraining } from '../../workers/training.worker';

/** A slow machine takes a few points of a service in each pass. */
const ROUNDS = 500;

/** Runs the workers' handlers for all waiting work, in order of priority, until nothing is left. */
export async function settle(container: Container): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { selecting, hasFleets } = await selectors(container);
    const worked =
      selecting +
      (await container.services.probes.insertDue()).length +
      (await late(container)) +
      (await passes(container)) +
      (await events(container)) +
      (hasFleets ? await fleets(container) : 0) +
      (await deliveries(container)) +
      (await trainingJobs(container));
    if (worked === 0) return;
  }
  throw new Error(`something still waits after ${ROUNDS} rounds`);
}

/** One statement, as budgets count those of each round. */
async function selectors(container: Container): Promise<{ selecting: number; hasFleets: boolean }> {
  const [rows] = await container.database.pool.query<RowDataPacket[]>(
    `SELECT FALSE AS isFleet FROM selector_owners WHERE watched AND version IS NOT NULL
     UNION ALL (SELECT TRUE FROM fleets LIMIT 1)`,
  );
  const selecting = rows.filter(({ isFleet }) => !isFleet).length;
  if (selecting > 0) await container.services.selectorFollower.run();
  return { selecting, hasFleets: selecting < rows.length };
}

/** A fleet that wrote a point within the last second waits, unless the clock of a test stands still. */
async function fleets({ clock, database, services }: Container): Promise<number> {
  const [behind] = await database.pool.query<RowDataPacket[]>(
    `SELECT f.service_id FROM fleets f JOIN selector_owners o ON o.owner_id = f.owner_id
     WHERE f.selects AND COALESCE(f.followed_version, '') <> o.latest_version`,
  );
  if (behind.length > 0) await services.fleetFollower.run();
  const [[latest]] = await database.pool.query<RowDataPacket[]>('SELECT MAX(written_ms) AS ms FROM fleets');
  const waitMs = Number(latest?.ms ?? 0) + POINT_MS - clock.now();
  if (clock === systemClock && waitMs > 0) await sleep(waitMs);
  return behind.length + (await services.fleetFolder.run());
}

async function late(container: Container): Promise<number> {
  return (await container.delivery.late.report()).length;
}

async function passes(container: Container): Promise<number> {
  const { database, clock, config } = container;
  const [rows] = await database.pool.query<RowDataPacket[]>(
    `SELECT partition_no AS partitionNo FROM inbox_batches UNION
     SELECT MOD(sensor_id, ?) FROM heartbeats, sensor_triggers LEFT JOIN shadow_states USING (id) WHERE active AND
       LEAST(COALESCE(due_at_ms, 9e15), COALESCE(condition_due_ms, 9e15), COALESCE(due_ms, 9e15)) <= LEAST(?, accepting_until_ms)`,
    [config.partitions, clock.now()],
  );
  for (const row of rows) await handleEvaluation({ partition: Number(row.partitionNo) }, container);
  return rows.length;
}

async function events(container: Container): Promise<number> {
  const [rows] = await container.database.pool.query<RowDataPacket[]>(
    'SELECT id FROM events WHERE retry_at_ms IS NULL LIMIT 1',
  );
  if (rows.length > 0) await handleEvents(ALL_USERS, container);
  return rows.length;
}

async function deliveries(container: Container): Promise<number> {
  const [rows] = await container.database.pool.query<RowDataPacket[]>(
    `SELECT id FROM deliveries WHERE status = 'pending' AND next_attempt_ms <= ?
       AND (lease_until_ms IS NULL OR lease_until_ms <= ?)
     ORDER BY priority DESC, event IS NOT NULL, id`,
    [container.clock.now(), container.clock.now()],
  );
  for (const row of rows) await handleDelivery({ deliveryId: Number(row.id) }, container);
  return rows.length;
}

async function trainingJobs(container: Container): Promise<number> {
  const [rows] = await container.database.pool.query<RowDataPacket[]>(
    "SELECT DISTINCT service_id AS serviceId FROM training_jobs WHERE status = 'pending' ORDER BY service_id",
  );
  for (const row of rows) await handleTraining({ serviceId: Number(row.serviceId) }, container);
  return rows.length;
}
