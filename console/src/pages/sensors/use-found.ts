import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatList } from '../../format';
import { t } from '../../language';
import { findBody, restOf, type Tags, tagsOf, unknownIn } from '../../search/find';
import { sharedName, withNamespaces } from '../../search/namespaces';
import { type Mistake, type Query, readQuery, STATES } from '../../search/query';
import { type Resource, useResource } from '../../use-resource';
import { findIds, loadSensors, type Sensor } from './load';

/** The sensors that a search finds among all that the user can see. */
export interface Found {
  all: readonly Sensor[];
  sensors: readonly Sensor[];
  /** The metatags of all sensors. */
  tags: Tags;
  query: Query;
  /** A part of the search that is not understood, that no sensor has, or that may mean something else. */
  mistake: string | undefined;
}

const EVERYTHING = JSON.stringify(findBody(readQuery('')));
const PAUSE_MS = 200;
/** How often a search for states is repeated. */
const STATES_MS = 15_000;

/**
 * Finds sensors while the user types. Metatags and states are found by the platform, with one request after each pause;
 * words, metatags of other namespaces and excluded ones are found here, at once.
 */
export function useFound(text: string): Resource<Found> {
  const everything = useResource('sensors', loadSensors);
  const known = useMemo(
    () => everything.data && { all: everything.data, tags: tagsOf(everything.data) },
    [everything.data],
  );
  const query = useMemo(() => {
    const read = readQuery(text);
    return known ? withNamespaces(read, known.tags) : read;
  }, [text, known]);
  const body = findBody(query);
  const asked = useLater(JSON.stringify(body));
  const [askedNow, isPresent] = [asked === JSON.stringify(body), /"(state|silent_for)":/.test(asked)];
  const matching = useResource<ReadonlySet<string> | 'all'>(
    `find ${asked}`,
    async () => (asked === EVERYTHING ? 'all' : findIds(JSON.parse(asked))),
    isPresent ? { everyMs: STATES_MS } : {},
  );
  const before = useRef<Found | undefined>(undefined);
  const found = useMemo(() => {
    const { data: ids } = matching;
    if (!known || !ids || !askedNow) return before.current;
    const isRest = restOf(query);
    const sensors = known.all.filter((one) => (ids === 'all' || ids.has(one.id)) && isRest(one));
    return { ...known, sensors, query, mistake: mistakeIn(query, known.tags) };
  }, [known, matching.data, query, askedNow]);
  before.current = found;
  const reload = () => {
    everything.reload();
    matching.reload();
  };
  return {
    data: found,
    error: everything.error ?? matching.error,
    loading: everything.loading || matching.loading || !askedNow,
    reload,
  };
}

/** The value after it has not changed for a moment; the first one at once. */
function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

function mistakeIn(query: Query, tags: Tags): string | undefined {
  const [mistake] = query.mistakes;
  if (mistake) return mistakeText(mistake);
  const unknown = unknownIn(query, tags);
  if (!unknown) return sharedText(sharedName(query, tags));
  const { name, value } = unknown;
  if (value === undefined) return t('No sensor has the metatag “{name}”.', { name });
  return t('No sensor has “{value}” as its “{name}”.', { name, value });
}

function sharedText(shared: ReturnType<typeof sharedName>): string | undefined {
  if (!shared) return undefined;
  const others = formatList(shared.others);
  return t('“{name}” is read as the metatag without a namespace. There is also {others}.', { ...shared, others });
}

function mistakeText({ why, text }: Mistake): string {
  switch (why) {
    case 'state':
      return t('“{text}”: a state is one of {states}.', { text, states: STATES.join(', ') });
    case 'duration':
      return t('“{text}”: write a time such as 30min, 2h or 7d.', { text });
    case 'not':
      return t('“{text}”: only metatags and words can be excluded.', { text });
    case 'states':
      return t('A sensor has one state at a time: choose one of {text}.', { text });
    case 'namespaces':
      return t('Several namespaces have this metatag: write one of {text}.', { text });
  }
}
