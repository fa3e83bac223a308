import { api, ask, type Records } from '../../api';

/** A firing on a chart; `until` is where its episode ends there, null while it lasts, and undefined where that is not known. */
export interface ChartedFiring {
  id: string;
  at: number;
  until: number | null | undefined;
}

/** Of data that came later than this, episodes are not drawn: they count by the clock of the platform, not by the data's. */
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

/** The date of the point that made it fire; of an inactivity, when it fired. */
function dateOf({ date, reason, variables }: Records['FiringView']): number {
  const pointDate = Number(Object(variables).sensor_data_date);
  return reason === 'expression' && pointDate > 0 ? pointDate : date;
}
