import type { SensorLabels } from '../../../language/labels';
import { MAX_VALUE_BYTES } from '../../../language/sensor-value';
import type { PointWindows } from '../../../language/windows/sensor-windows';
import {
  type Computed,
  type DataPoint,
  type Json,
  type SensorDataPoint,
  type ServiceInput,
  serviceNamed,
} from '../../../points';

const MAX_MEMORY_CHARACTERS = 2_000_000;

export interface StoredService {
  id: number;
  ownerId: number;
  name: string;
  settings: Json;
  memory: Json;
  model: string | null;
  lastError: string | null;
  /** Only sensors that the owner of the service may read. */
  inputs: readonly ServiceInput[];
  /** Labels of the virtual sensor. */
  labels?: SensorLabels;
}

export interface ServiceChanges {
  id: number;
  memory: Json;
  lastError: string | null;
  outputs: readonly DataPoint[];
}

/**
 * Computes outputs from points in date order. No I/O, and `nowMs` is the only clock. A failing service reports
 * `lastError` and does not stop others.
 */
export function computeService(
  service: StoredService,
  points: readonly SensorDataPoint[],
  nowMs: number,
  windows?: PointWindows,
): ServiceChanges {
  const { id, memory } = service;
  try {
    const kind = serviceNamed(service.name);
    if (!kind) return { id, memory, lastError: `there is no service ${service.name}`, outputs: [] };
    const computed = kind.compute(service, points, nowMs, windows);
    const tooLarge = whatIsTooLarge(computed);
    if (tooLarge !== null) return { id, memory, lastError: tooLarge, outputs: [] };
    return { id, memory: computed.memory, lastError: computed.error, outputs: computed.outputs };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown failure';
    return { id, memory, lastError: `the points could not be handled: ${why}`, outputs: [] };
  }
}

/** Refuses a value that no table accepts: its statement would fail, and with it the pass of all users. */
function whatIsTooLarge({ memory, outputs }: Computed<Json>): string | null {
  if (outputs.some(({ value }) => Buffer.byteLength(value) > MAX_VALUE_BYTES)) return 'a value came out too large';
  return JSON.stringify(memory).length > MAX_MEMORY_CHARACTERS ? 'the values of its sensors are too large' : null;
}
