export interface SensorDemands {
  required: readonly string[];
  optional: readonly string[];
}

export interface SensorChoice {
  /** Required names without a sensor. */
  missing: string[];
  asked: number[];
  extra: number[];
}

/** The offered sensors of a demanded name, or all if none is offered. */
export function chooseSensors(
  { required, optional }: SensorDemands,
  own: readonly { id: number; name: string }[],
  offered: readonly number[],
): SensorChoice {
  const isOffered = new Set(offered);
  const asked = new Set<number>();
  const missing: string[] = [];
  for (const name of new Set([...required, ...optional])) {
    const named = own.filter((sensor) => sensor.name === name);
    const chosen = named.filter(({ id }) => isOffered.has(id));
    for (const { id } of chosen.length > 0 ? chosen : named) asked.add(id);
    if (named.length === 0 && required.includes(name)) missing.push(name);
  }
  const extra = own.filter(({ id }) => isOffered.has(id) && !asked.has(id)).map(({ id }) => id);
  return { missing, asked: [...asked], extra };
}
