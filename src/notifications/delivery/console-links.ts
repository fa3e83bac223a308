/**
 * The address of a sensor's chart in the console, at a moment: the chart shows the hours around it and marks it. The
 * console reads `at` as unix seconds.
 */
export function chartUrl(publicUrl: string, sensorId: number, atMs: number): string {
  return `${publicUrl}/console/sensors/${sensorId}?at=${atMs / 1000}`;
}
