import { useEffect, useState } from 'preact/hooks';
import type { Selector } from '../../dashboards/source';
import { many, t } from '../../language';
import { selectorOf } from '../../search/namespaces';
import { searchOf } from '../../search/selectors';
import { SensorSearch } from '../../ui/sensor-search';
import { useFound } from '../sensors/use-found';

interface FollowProps {
  selector: Selector | null | undefined;
  /** Called with null while a tile cannot follow what is typed. */
  onSelector: (selector: Selector | null) => void;
  /** How many of the sensors the tile lists. */
  listed: number;
}

/** The search that a tile follows, with the number of sensors that match at present. */
export function FollowSearch({ selector, onSelector, listed }: FollowProps) {
  const [text, setText] = useState(searchOf(selector));
  const found = useFound(text ?? '');
  const { query, sensors = [] } = found.data ?? {};
  const wanted = query && text !== undefined ? selectorOf(query, text) : undefined;
  const isKept = text === undefined;
  useEffect(() => {
    if (!isKept) onSelector((!found.loading && wanted) || null);
  }, [JSON.stringify(wanted), isKept, found.loading]);
  const n = sensors.filter(({ owner }) => !owner).length;
  return (
    <div class="field">
      <SensorSearch value={text ?? ''} onValue={setText} found={found} />
      <p class="hint" role="status">
        {isKept
          ? t('A program chose the sensors. A search replaces its choice.')
          : query &&
            !found.loading &&
            (wanted
              ? [
                  many(n, '{n} of your sensors matches.', '{n} of your sensors match.'),
                  t('Later ones appear by themselves.'),
                  n > listed && t('The tile shows {n} of them.', { n: listed }),
                ]
                  .filter(Boolean)
                  .join(' ')
              : t('A tile follows only metatags, all of one namespace.'))}
      </p>
    </div>
  );
}
