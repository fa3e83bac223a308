import type { PoolConnection } from 'mysql2/promise';
import { groupBySensor, type WaitingPoint } from '../inbox/waiting-point';
import { partsOf } from '../rules/parts-of';
import { computeService, type ServiceChanges, type StoredService } from './actors/service.actor';
import type { PassClock } from './pass-clock';
import { loadServices, type ServiceNudges, writeServiceResults } from './service-states';

/** Number of services in memory at the same time: their memories may be large. */
const SERVICES_AT_ONCE = 20;
const TOO_EXPENSIVE = 'too expensive: the services of one point took too long, and this one was not computed';

/**
 * Runs the services that these points feed, in the transaction of the pass. A service that is reached when no
 * time is left records that in its `last_error` and has no output for these points.
 */
export async function computeServices(
  connection: PoolConnection,
  points: readonly WaitingPoint[],
  fed: ReadonlySet<number>,
  { partitionCount, nowMs, passClock }: { partitionCount: number; nowMs: number; passClock: PassClock },
): Promise<ServiceNudges> {
  const serviceIds = [...fed].sort((a, b) => a - b);
  const all: ServiceNudges = { partitions: new Set(), eventUsers: [], isStreamed: false };
  const pointsOf = serviceIds.length > 0 ? groupBySensor(points) : new Map<number, WaitingPoint[]>();
  for (const ids of partsOf(serviceIds, SERVICES_AT_ONCE)) {
    const services = await loadServices(connection, ids);
    const results: ServiceChanges[] = [];
    for (const service of services) results.push(await compute(service, pointsOf, nowMs, passClock));
    const written = await writeServiceResults(connection, results, partitionCount, nowMs);
    for (const partition of written.partitions) all.partitions.add(partition);
    all.eventUsers.push(...written.eventUsers);
    all.isStreamed ||= written.isStreamed;
  }
  return all;
}

async function compute(
  service: StoredService,
  pointsOf: ReadonlyMap<number, WaitingPoint[]>,
  nowMs: number,
  passClock: PassClock,
): Promise<ServiceChanges> {
  const { id, ownerId, memory } = service;
  if (passClock.isOver(ownerId)) return { id, memory, lastError: TOO_EXPENSIVE, outputs: [] };
  let changes: ServiceChanges = { id, memory, lastError: null, outputs: [] };
  passClock.measure(ownerId, () => {
    changes = computeService(service, inputPoints(service, pointsOf), nowMs);
  });
  if (passClock.isYieldDue) await passClock.yield();
  return changes;
}

/** The points of a service's inputs, in date order. */
function inputPoints({ inputs }: StoredService, pointsOf: ReadonlyMap<number, WaitingPoint[]>): WaitingPoint[] {
  return inputs.flatMap(({ sensorId }) => pointsOf.get(sensorId) ?? []).sort((a, b) => a.dateMs - b.dateMs);
}
