import type { PoolConnection } from 'mysql2/promise';
import { partsOf } from '../../platform/parts-of';
import type { RetentionDays } from '../../platform/retention';
import { type DataPoint, groupBySensor, type WaitingPoint } from '../../points';
import { pipelined } from '../../storage/pipeline';
import { appendFleetChanges } from '../fleets/fleet-changes';
import type { PassSensor } from '../trigger-store/sensor-states';
import type { PassStates } from '../trigger-store/trigger-store';
import type { WindowCache } from '../trigger-store/window-cache';
import { computeService, type ServiceChanges, type StoredService } from './actors/service.actor';
import { type PassClock, QUICK_MS } from './pass-clock';
import { noNudges, type ServiceNudges, writeOutputs } from './service-outputs';
import { loadServices, openMemories, resultOf, type ServiceResult, writeMemories } from './service-rows';
import { ServiceWindows } from './service-windows';
import { UnreadReaders } from './window-reader';

interface ServiceSetting {
  partitionCount: number;
  nowMs: number;
  passClock: PassClock;
  sensors: ReadonlyMap<number, PassSensor>;
  states: PassStates;
  windows: WindowCache;
  retentionDays: RetentionDays;
  /** Why services do not compute; undefined if they do. */
  unevaluated: string | undefined;
}

/** Memories of services may be large. */
const SERVICES_AT_ONCE = 20;
const MOST_KEPT_BYTES = 70_000_000;
/** Points of the first slice without windows, before the clock is read. */
const FIRST_POINTS = 8;
const MOST_POINTS = 64;
const TOO_EXPENSIVE = 'too expensive: the services of one point took too long, and this one was not computed';

/**
 * Runs in the transaction of the pass. A service without time left records that in `last_error` and has no output. Call
 * `keep` after the commit.
 */
export async function computeServices(
  connection: PoolConnection,
  points: readonly WaitingPoint[],
  setting: ServiceSetting,
): Promise<ServiceNudges & { keep(): void }> {
  const { nowMs, passClock, sensors, states } = setting;
  const caches = { windows: setting.windows, sensorOf: (id: number) => sensors.get(id) ?? states.cached(id) };
  const pointsOf = groupBySensor(points);
  const serviceIds = fedBy(pointsOf, sensors, setting.windows);
  const noting = pipelined(appendFleetChanges(connection, pointsOf, sensors, passClock));
  const all = noNudges();
  const kept: ServiceWindows[] = [];
  let room = MOST_KEPT_BYTES;
  for (const ids of partsOf(serviceIds, SERVICES_AT_ONCE)) {
    const stored = await loadServices(connection, ids, setting.retentionDays, passClock);
    const { services, tooMany } = await openMemories(stored, passClock);
    const unread = new UnreadReaders({ connection, passClock });
    const works = services.map((service) => {
      const own = inputPoints(service, pointsOf);
      return { service, points: own, windows: new ServiceWindows(service, own, unread, caches) };
    });
    const results: ServiceResult[] = tooMany.map((service) => resultOf(service, { lastError: TOO_EXPENSIVE }));
    for (const work of works) {
      const { service } = work;
      const { unevaluated } = setting;
      if (unevaluated !== undefined) results.push(resultOf(service, { lastError: unevaluated }));
      else results.push(resultOf(service, await compute(work, nowMs, passClock)));
    }
    for (const { windows } of works) {
      if (windows.isEmpty || windows.bytes > room) continue;
      room -= windows.bytes;
      kept.push(windows);
    }
    if (results.length > 0) await writeMemories(connection, results, passClock);
    const written = await writeOutputs(connection, results, setting);
    for (const partition of written.partitions) all.partitions.add(partition);
    all.eventUsers.push(...written.eventUsers);
    all.isStreamed ||= written.isStreamed;
  }
  await noting;
  const keep = () => {
    for (const windows of kept) windows.keep();
  };
  return { ...all, keep };
}

/** Late points drop the cached windows of their services. */
function fedBy(
  pointsOf: ReadonlyMap<number, readonly WaitingPoint[]>,
  sensors: ReadonlyMap<number, PassSensor>,
  windows: WindowCache,
): number[] {
  const fed = new Set<number>();
  for (const [sensorId, points] of pointsOf) {
    for (const serviceId of sensors.get(sensorId)?.serviceIds ?? []) {
      fed.add(serviceId);
      windows.dropIfLate({ sensorId, serviceId }, points);
    }
  }
  return [...fed].sort((a, b) => a - b);
}

interface ServiceWork {
  service: StoredService;
  points: readonly WaitingPoint[];
  windows: ServiceWindows;
}

/** Slices grow while they are quick, and shrink when they are not. */
async function compute(work: ServiceWork, nowMs: number, passClock: PassClock): Promise<ServiceChanges> {
  const { points, windows } = work;
  const { id, ownerId, memory } = work.service;
  let changes: ServiceChanges = { id, memory, lastError: null, outputs: [] };
  const outputs: DataPoint[] = [];
  let start = 0;
  let count = windows.isEmpty ? FIRST_POINTS : 1;
  do {
    if (passClock.isOver(ownerId)) return { id, memory: changes.memory, lastError: TOO_EXPENSIVE, outputs };
    const slice = points.slice(start, start + count);
    await windows.readFor(slice[0]?.dateMs ?? 0);
    if (passClock.isSpent(ownerId) && passClock.isOver(ownerId)) continue;
    const service = { ...work.service, memory: changes.memory };
    const tookMs = passClock.measure(ownerId, () => {
      changes = computeService(service, slice, nowMs, windows);
    });
    outputs.push(...changes.outputs);
    if (passClock.isYieldDue) await passClock.yield();
    start += count;
    count = nextCount(count, tookMs, windows);
  } while (start < points.length);
  return { ...changes, outputs };
}

function nextCount(count: number, tookMs: number, { isEmpty, atOnce }: ServiceWindows): number {
  if (tookMs >= 2 * QUICK_MS) return Math.ceil(count / 2);
  return tookMs < QUICK_MS ? Math.min(count * 2, isEmpty ? MOST_POINTS : atOnce) : count;
}

function inputPoints({ inputs }: StoredService, pointsOf: ReadonlyMap<number, WaitingPoint[]>): WaitingPoint[] {
  return inputs.flatMap(({ sensorId }) => pointsOf.get(sensorId) ?? []).sort((a, b) => a.dateMs - b.dateMs);
}
