import { api, ask } from '../../api';

/** A firing on a chart; `ended` is undefined where the platform does not say, and null while the episode lasts. */
export interface ChartedFiring {
  id: string;
  trigger_id: string;
  at: number;
  ended: number | null | undefined;
}

/** The latest firings of all triggers of a sensor that are the user's, at the dates of their data. */
export async function loadFirings(id: string, signal: AbortSignal): Promise<ChartedFiring[]> {
  const path = { id };
  const { triggers } = await ask(
    api.get('/sensors/{id}/triggers', { params: { path, query: { per_page: 50 } }, signal }),
  );
  const lists = await Promise.all(
    triggers.map(async (trigger) => {
      const { firings } = await ask(
        api.get('/sensors/{id}/triggers/{trigger_id}/firings', {
          params: { path: { id, trigger_id: trigger.id }, query: { sort: 'DESC', per_page: 200 } },
          signal,
        }),
      );
      return firings;
    }),
  );
  return lists.flat().map((firing) => ({
    id: firing.id,
    trigger_id: firing.trigger_id,
    at: dateOf(firing),
    ended: undefined,
  }));
}

/** The date of the point that made it fire; of an inactivity, when it fired. */
function dateOf({ date, reason, variables }: { date: number; reason: string; variables: object }): number {
  const pointDate = Number(Object(variables).sensor_data_date);
  return reason === 'expression' && pointDate > 0 ? pointDate : date;
}
