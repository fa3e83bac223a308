import { selectorFilter } from '../../search/find';
import { readQuery } from '../../search/query';
import type { Rule } from './rule';
import { type Follows, followsOf } from './selector';

/** What the address of the editor asks for. */
export interface Asked {
  /** The sensors that a new trigger begins with. */
  sensors: readonly string[];
  /** The sensors that a new trigger follows. */
  follows: Rule['follows'] | undefined;
  /** The sensor to try the rule on. */
  tried: string | undefined;
  /** The sensor from whose page the editor was opened. */
  page: string | undefined;
  /** What a new trigger is named after, instead of the sensor to try it on. */
  name: string | undefined;
}

/**
 * Reads `sensor=1` of a link on the page of a sensor, `sensors=1,2` of sensors that were selected in the list, or
 * `follow=kind:freezer&try=1` of a search for metatags, with the `namespace` of these if it is not the default one.
 */
export function askedBy(query: URLSearchParams): Asked {
  const page = query.get('sensor') ?? undefined;
  const listed = (query.get('sensors') ?? '').split(',').filter(Boolean);
  const sensors = page ? [page] : listed;
  const text = query.get('follow')?.trim();
  const namespace = query.get('namespace') ?? 'default';
  const filter = text && selectorFilter(readQuery(text));
  const follows: Follows<never> | undefined = filter ? followsOf({ filter, namespace }) : undefined;
  return { sensors, follows, tried: query.get('try') ?? sensors[0], page, name: filter ? text : undefined };
}
