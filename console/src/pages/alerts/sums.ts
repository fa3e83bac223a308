interface Ended {
  first: { date: number };
  latest: { trigger_id: string; sensor_id: string; ended: number | null };
}

/** How many alerts of how many triggers and sensors, and for how many seconds they lasted, open ones until now. */
export function sumsOf(alerts: readonly Ended[], now: number) {
  const count = (of: 'trigger_id' | 'sensor_id') => new Set(alerts.map(({ latest }) => latest[of])).size;
  const lengths = alerts.map(({ first, latest }) => (latest.ended ?? now) - first.date).sort((a, b) => a - b);
  return {
    ...{ alerts: alerts.length, triggers: count('trigger_id'), sensors: count('sensor_id') },
    longest: lengths.at(-1),
    median: lengths[Math.floor(lengths.length / 2)],
  };
}
