import { api, ask } from '../../api';
import { readFields } from '../../format';
import { useResource } from '../../use-resource';

/** The names of the fields in a sensor's latest value; empty for a plain value. */
export function useFields(id: string | undefined): readonly string[] {
  const latest = useResource(`fields ${id ?? ''}`, async (signal) => {
    if (id === undefined) return [];
    const { data } = await ask(
      api.get('/sensors/{id}/data', { params: { path: { id }, query: { last: true } }, signal }),
    );
    return Object.keys(readFields(data[0]?.value ?? '') ?? {}).slice(0, 20);
  });
  return latest.data ?? [];
}
