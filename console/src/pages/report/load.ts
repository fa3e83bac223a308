import { api, ask, type Records } from '../../api';
import { formatDate, TIME_ZONE } from '../../format';
import { LOCALE } from '../../language';

export type Report = Records['SensorReportView'];
export type Length = Records['PeriodLength'];

/** Sensors of one request: each takes the time to read its points. */
const AT_ONCE = 20;

/** The reports on sensors, by their ids. */
export async function loadReports(
  ids: readonly string[],
  asked: { start_date: number; end_date: number; by: Length },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Report>> {
  const reports = new Map<string, Report>();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const query = { ...asked, timezone: TIME_ZONE, sensor_id: ids.slice(at, at + AT_ONCE), per_page: AT_ONCE };
    const answer = await ask(api.get('/reports/sensors', { params: { query }, signal }));
    for (const report of answer.reports) reports.set(report.sensor_id, report);
  }
  return reports;
}

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** A day without its time if that is midnight. `isEnd`: midnight ends the day before. */
export function formatDay(seconds: number, isEnd = false): string {
  const date = new Date(seconds * 1000);
  if (date.getHours() + date.getMinutes() > 0) return formatDate(seconds);
  return new Date(date.getTime() - Number(isEnd)).toLocaleDateString(LOCALE, DAY);
}
