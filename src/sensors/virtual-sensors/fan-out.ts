export interface Feed {
  readonly sensorId: number;
  readonly serviceId: number;
}

/**
 * Computations that one point causes: one for each path to a service that `counts`. At most `ceiling`, even with a
 * cycle or more paths than a number holds.
 */
export function mostComputations(
  feeds: readonly Feed[],
  ceiling: number,
  counts: (serviceId: number) => boolean = () => true,
): number {
  const { fed, feeding } = connectionsOf(feeds);
  // Sums from the sensors that feed nothing upwards: each sensor is counted once, after all services that it feeds.
  const sums = new Map<number, number>();
  const counted = [...feeding.keys()].filter((id) => !fed.has(id));
  for (let id = counted.pop(); id !== undefined; id = counted.pop()) {
    const each = Number(counts(id)) + (sums.get(id) ?? 0);
    for (const sensorId of feeding.get(id) ?? []) {
      sums.set(sensorId, Math.min(ceiling, (sums.get(sensorId) ?? 0) + each));
      const left = (fed.get(sensorId) ?? 0) - 1;
      if (left > 0) fed.set(sensorId, left);
      else if (fed.delete(sensorId)) counted.push(sensorId);
    }
  }
  if (fed.size > 0) return ceiling;
  return [...sums.values()].reduce((most, count) => Math.max(most, count), 0);
}

function connectionsOf(feeds: readonly Feed[]): { fed: Map<number, number>; feeding: Map<number, number[]> } {
  const [fed, feeding] = [new Map<number, number>(), new Map<number, number[]>()];
  for (const { sensorId, serviceId } of feeds) {
    fed.set(sensorId, (fed.get(sensorId) ?? 0) + 1);
    const sensors = feeding.get(serviceId);
    if (sensors) sensors.push(sensorId);
    else feeding.set(serviceId, [sensorId]);
  }
  return { fed, feeding };
}
