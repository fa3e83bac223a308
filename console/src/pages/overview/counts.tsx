import { useState } from 'preact/hooks';
import { formatCount } from '../../format';
import { t, tx } from '../../language';
import { href } from '../../router';
import { type Tags, tagValues } from '../../search/find';
import { tagText } from '../../search/query';
import { Select } from '../../ui/form';
import { Table } from '../../ui/table';
import type { Sensor } from '../sensors/load';

const STORED = 'overview-metatag';
/** Number of values that are shown. */
const MOST = 12;

interface CountsProps {
  sensors: readonly Sensor[];
  tags: Tags;
  /** The ids of sensors on which an alert is firing. */
  firing: ReadonlySet<string>;
  /** The ids of sensors without data for longer than expected. */
  quiet: ReadonlySet<string>;
}

interface Count {
  value: string;
  count: number;
  firing: number;
  quiet: number;
}

/** How many sensors have each value of a metatag of the user's choice; each number leads to them. */
export function Counts({ sensors, tags, firing, quiet }: CountsProps) {
  const [stored, setStored] = useState(() => localStorage.getItem(STORED) ?? '');
  const names = [...tags.keys()];
  const name = tags.has(stored) ? stored : suggested(tags);
  if (name === undefined) {
    return (
      <p class="quiet">
        {tx('No sensor has metatags yet. Select {sensors}, and set one for many at once: floor or kind, for example.', {
          sensors: <a href={href('/sensors')}>{t('sensors')}</a>,
        })}
      </p>
    );
  }
  const choose = (next: string) => {
    localStorage.setItem(STORED, next);
    setStored(next);
  };
  const counts = [...(tags.get(name) ?? [])].map(([value, count]): Count => {
    const those = sensors.filter((sensor) => tagValues(sensor, name, tags).includes(value));
    const among = (ids: ReadonlySet<string>) => those.filter(({ id }) => ids.has(id)).length;
    return { value, count, firing: among(firing), quiet: among(quiet) };
  });
  return (
    <div class="stack">
      <Select label={t('Metatag')} value={name} onValue={choose} options={names.map((one) => [one, one] as const)} />
      <CountTable name={name} counts={counts} />
    </div>
  );
}

/** The metatag that the most sensors have, preferably with a few values that several sensors share. */
function suggested(tags: Tags): string | undefined {
  const scored = [...tags].map(([name, counts]) => {
    const having = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { name, score: counts.size > MOST || counts.size < 2 ? having / 1_000_000 : having };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.name;
}

function CountTable({ name, counts }: { name: string; counts: readonly Count[] }) {
  const link = (value: string, number: number, also = '') =>
    number === 0 ? (
      <span class="quiet">0</span>
    ) : (
      <a href={href(`/sensors?q=${encodeURIComponent(tagText(name, value) + also)}`)}>{formatCount(number)}</a>
    );
  return (
    <>
      <Table<Count>
        caption={t('Sensors by metatag')}
        rows={counts.slice(0, MOST)}
        keyOf={({ value }) => value}
        blocks={false}
        isCompact
        columns={[
          {
            name,
            cell: ({ value }) => (
              <a class="strong" href={href(`/sensors?q=${encodeURIComponent(tagText(name, value))}`)}>
                {value}
              </a>
            ),
          },
          { name: t('Sensors'), right: true, cell: ({ value, count }) => link(value, count) },
          {
            name: t('Firing'),
            right: true,
            cell: ({ value, firing }) => <strong>{link(value, firing, ' state:firing')}</strong>,
          },
          {
            name: t('No data'),
            right: true,
            cell: ({ value, quiet }) => link(value, quiet, ' state:silent'),
          },
        ]}
      />
      {counts.length > MOST && (
        <p class="quiet small">
          {t('{n} more values: find them on the page of sensors.', { n: counts.length - MOST })}
        </p>
      )}
    </>
  );
}
