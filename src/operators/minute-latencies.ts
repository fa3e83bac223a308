export interface MadeAttempt {
  ownerId: number;
  isDelivered: 0 | 1;
  /** The time from the arrival of the point; null if the delivery waited on purpose. */
  latencyMs: number | null;
}

/** Numbers of attempts, and the latencies of what was delivered. */
export function latencies(attempts: readonly MadeAttempt[]): (readonly [name: string, value: number])[] {
  const delivered = attempts.filter(({ isDelivered }) => isDelivered);
  const sorted = delivered.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  const counts = [
    ['delivered', delivered.length],
    ['failed_attempts', attempts.length - delivered.length],
  ] as const;
  if (sorted.length === 0) return [...counts];
  const quantile = (part: number) => Math.max(0, sorted[Math.ceil(part * sorted.length) - 1] ?? 0);
  return [...counts, ['latency_p50', quantile(0.5)], ['latency_p95', quantile(0.95)], ['latency_max', quantile(1)]];
}
