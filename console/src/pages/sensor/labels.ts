import { api, ask } from '../../api';
import type { Labels } from '../trigger/built-rule';

export const DEFAULT = 'default';

export interface Tag {
  namespace: string;
  name: string;
  values: (string | number | boolean)[];
}

/** The metatags of a sensor in all namespaces. The default one comes first. */
export async function loadTags(id: string, signal: AbortSignal): Promise<Tag[]> {
  const itself = { sensor_property: 'id' as const, operator: 'equal' as const, value: id };
  const query = { sensor_owner: 'all' as const, all_namespaces: true };
  const body = { filter: { sensor_statement_groups: [[itself]] } };
  const { sensors } = await ask(api.post('/sensors/find', { params: { query }, body, signal }));
  const { metatags = {}, other_metatags: others = {} } = sensors[0] ?? {};
  return Object.entries({ [DEFAULT]: metatags, ...others }).flatMap(([namespace, tags]) =>
    Object.entries(tags as Record<string, Tag['values']>).map(([name, values]) => ({ namespace, name, values })),
  ); // each name has a list of values
}

/** What the rules of a sensor call its labels: names of the default namespace stand alone. */
export async function loadLabels(id: string, signal: AbortSignal): Promise<Labels> {
  const tags = await loadTags(id, signal);
  const isPlain = ({ namespace, name }: Tag) => namespace === DEFAULT && !name.includes(':');
  return Object.fromEntries(
    tags.flatMap((tag) => [
      [`${tag.namespace}:${tag.name}`, tag.values[0]],
      ...(isPlain(tag) ? [[tag.name, tag.values[0]]] : []),
    ]),
  );
}
