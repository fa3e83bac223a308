/** What a group wants to be shared into it when somebody joins, by the names of sensors. */
export interface SensorDemands {
  required: readonly string[];
  optional: readonly string[];
}

/** Which of a user's sensors they bring into a group. */
export interface SensorChoice {
  /** Required names for which the user has no sensor. */
  missing: string[];
  /** The sensors that the group asks for. */
  asked: number[];
  /** What the user offers beyond that. */
  extra: number[];
}

/**
 * Chooses among the user's own sensors. Of a name that the group asks for, those that the user offers are taken; all of that
 * name when they offer none.
 */
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
