interface Ended {
  first: { date: number };
  latest: { trigger_id: string; sensor_id: string; ended: number | null };
}

/** How many alerts of how many triggers and sensors, and for how many seconds those that ended lasted. */
export function sumsOf(alerts: readonly Ended[]) {
  const count = (of: 'trigger_id' | 'sensor_id') => new Set(alerts.map(({ latest }) => latest[of])).size;
  const lengths = alerts
    .flatMap(({ first, latest }) => (latest.ended === null ? [] : latest.ended - first.date))
    .sort((a, b) => a - b);
  return {
    ...{ alerts: alerts.length, triggers: count('trigger_id'), sensors: count('sensor_id') },
    longest: lengths.at(-1),
    median: lengths[Math.floor(lengths.length / 2)],
  };
}
