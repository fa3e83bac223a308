import { type ServiceInput, serviceNamed } from '../../points';

/** Returns seconds, by sensor with a window. */
export function windowLengths(
  { name, settings }: { name: string; settings: string },
  sensorIds: readonly number[],
): Map<number, number> {
  const kind = serviceNamed(name);
  const inputs = sensorIds.map((sensorId): ServiceInput => ({ sensorId, sensorName: '', dataType: '', fields: [] }));
  const state = { inputs, settings: JSON.parse(settings), memory: kind?.memory ?? null, model: null };
  const needed = [...(kind?.neededWindows?.(state, []).bySensor ?? [])];
  return new Map(needed.map(([id, windows]) => [id, Math.max(...windows.map(({ seconds }) => seconds))]));
}
