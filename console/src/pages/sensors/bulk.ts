import { all, api, ask, type Records, sentence } from '../../api';
import type { Options } from '../names';

export type BulkAction = Records['BulkActions'];

/** The platform changes at most this many sensors with one request. */
const MOST = 500;

/** What became of an action on many sensors. */
export interface BulkOutcome {
  done: number;
  /** The ids of the sensors on which it was refused, by the reason. */
  refused: ReadonlyMap<string, readonly string[]>;
  warning: string | undefined;
}

/** Does an action on sensors, up to 500 with one request. Doing it again is harmless. */
export async function changeSensors(
  ids: readonly string[],
  action: BulkAction,
  onProgress: (done: number) => void,
): Promise<BulkOutcome> {
  const refused = new Map<string, string[]>();
  let [done, warned] = [0, undefined as string | undefined];
  for (let from = 0; from < ids.length; from += MOST) {
    const sensors = ids.slice(from, from + MOST);
    const answer = await ask(api.post('/sensors/bulk', { body: { sensors, action } }));
    done += answer.done;
    warned = answer.warning && sentence(answer.warning);
    for (const { sensor_id, error } of answer.failed) {
      refused.set(sentence(error), [...(refused.get(sentence(error)) ?? []), sensor_id]);
    }
    onProgress(from + sensors.length);
  }
  return { done, refused, warning: warned };
}

/** The users with whom the caller shares sensors. */
export async function loadReaders(): Promise<Options> {
  const sensors = await all(
    async (page) => (await ask(api.get('/sensors', { params: { query: { ...page, shared: true } } }))).sensors,
  );
  const users = sensors.flatMap((sensor) => ('users' in sensor ? (sensor.users ?? []) : []));
  return [...new Map(users.map(({ id, username }) => [id, username]))];
}
