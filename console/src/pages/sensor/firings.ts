import { api, ask, type Records } from '../../api';
import { columnOf, formatValue, type Units } from '../../format';
import { t } from '../../language';

/** A firing on a chart; `until` is the end of its episode, null while it is open, and undefined if unknown. */
export interface ChartedFiring {
  id: string;
  at: number;
  until: number | null | undefined;
}

/**
 * For data that came later than this, episodes are not drawn: their times are by the platform's clock, not by the
 * data's.
 */
const LATE = 300;

/** The latest firings of the user's triggers on a sensor, at the dates of their data. */
export async function loadFirings(id: string, signal: AbortSignal): Promise<ChartedFiring[]> {
  const { firings } = await ask(
    api.get('/firings', { params: { query: { sensor_id: id, sort: 'DESC', per_page: 500 } }, signal }),
  );
  return firings.map((firing) => {
    const at = dateOf(firing);
    const isPrompt = Math.abs(firing.date - at) < LATE && firing.episode === firing.id;
    return { id: firing.id, at, until: isPrompt ? firing.ended : undefined };
  });
}

/** The page of a sensor's chart at a moment in unix seconds, as the links of mails name it. */
export function chartPath(sensorId: string, at: number): string {
  return `/sensors/${sensorId}?at=${at}`;
}

/** The date of the deciding point; for an inactivity, the time of the firing. */
export function dateOf({ date, reason, variables }: Records['FiringView']): number {
  const pointDate = Number(Object(variables).sensor_data_date);
  return reason === 'expression' && pointDate > 0 ? pointDate : date;
}

type Firing = Records['FiringView'];

/** The value that fired an alert, with its unit. */
export function valueText(firing: Firing, units: Units | undefined): string {
  const value = firedValue(firing);
  return value === undefined ? t('no data') : formatValue(value, units, partsOf(firing, units));
}

/** Writes values of the sensor of an alert with the same decimals. */
export function partsOf(firing: Firing, units: Units | undefined, latest = '') {
  const { last_sensor_data_value: before } = Object(firing.variables);
  return columnOf([latest, firedValue(firing), before].map((value) => [String(value ?? ''), units]));
}

function firedValue({ reason, variables }: Firing): string | undefined {
  const value: unknown = Object(variables).sensor_data_value;
  if (reason === 'inactivity' || value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
