import { ApiError, messageOf } from '../../api';
import { type BulkAction, type BulkOutcome, changeSensors } from './bulk';
import type { LabelChange } from './label-table';

/** Stores labels: one request for each set of labels that sensors get. Doing it again is harmless. */
export async function storeLabels(
  changes: readonly LabelChange[],
  onProgress: (done: number) => void,
): Promise<BulkOutcome> {
  const refused = new Map<string, readonly string[]>();
  let [done, warning] = [0, undefined as string | undefined];
  for (const [action, ids] of requestsOf(changes)) {
    const outcome = await changeSensors(ids, action, () => undefined).catch((error: unknown) => {
      // A label that no sensor can have does not keep the others.
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
      return { refused: new Map([[messageOf(error), ids]]), warning: undefined };
    });
    for (const [why, some] of outcome.refused) refused.set(why, [...(refused.get(why) ?? []), ...some]);
    warning ??= outcome.warning;
    done += ids.length;
    onProgress(done);
  }
  const without = new Set([...refused.values()].flat());
  const sensors = new Set(changes.map(({ sensor }) => sensor.id));
  return { done: [...sensors].filter((id) => !without.has(id)).length, refused, warning };
}

function requestsOf(changes: readonly LabelChange[]): [BulkAction, string[]][] {
  const ofSensors = new Map<string, { id: string; namespace: string; metatags: Record<string, readonly string[]> }>();
  for (const { sensor, column, after } of changes) {
    const { namespace = 'default', tag } = column;
    const key = `${sensor.id} ${namespace}`;
    const { metatags = {} } = ofSensors.get(key) ?? {};
    ofSensors.set(key, { id: sensor.id, namespace, metatags: { ...metatags, [tag]: after } });
  }
  const requests = new Map<string, [BulkAction, string[]]>();
  for (const { id, namespace, metatags } of ofSensors.values()) {
    const action: BulkAction = { set_metatags: { namespace, metatags: metatags as never } }; // any names
    const [, ids] = requests.get(JSON.stringify(action)) ?? [action, []];
    requests.set(JSON.stringify(action), [action, [...ids, id]]);
  }
  return [...requests.values()];
}
