/** The console reads `at` as unix seconds. */
export function chartUrl(publicUrl: string, sensorId: number, atMs: number): string {
  return `${publicUrl}/console/sensors/${sensorId}?at=${atMs / 1000}`;
}
