import { api, ask, type Records } from '../../api';
import { type Resource, useResource } from '../../use-resource';

/** Number of series that are shown of a sensor. */
export const SHOWN_SERIES = 3;

/** The first series that lead to a sensor, one more than are shown; none of a sensor of another user. */
export function useOrigin({ id, owner }: Pick<Records['OwnedSensorView'], 'id' | 'owner'>): Resource<Series[]> {
  return useResource(`series of ${id}`, async (signal) => {
    if (owner) return [];
    const query = { sensor_id: id, per_page: SHOWN_SERIES + 1 };
    return (await ask(api.get('/series', { params: { query }, signal }))).series;
  });
}

type Series = Records['SeriesView'];
