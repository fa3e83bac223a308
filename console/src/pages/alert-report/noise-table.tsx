import { formatCount, formatDuration } from '../../format';
import { many, t } from '../../language';
import { href } from '../../router';
import { State } from '../../ui/state';
import { Table } from '../../ui/table';
import { useNames } from '../names';
import type { Noise, NoiseRow } from './load';

const LISTED = 20;
const PATHS = { trigger: '/triggers', sensor: '/sensors', notification: '/notifications' } as const;
const NAMES = { trigger: t('Trigger'), sensor: t('Sensor'), notification: t('Notification') } as const;

/** The triggers, sensors or notifications with alerts, the noisiest first. */
export function NoiseTable({ rows, by, severities, duration_bounds: bounds }: Noise) {
  const { triggers, sensors } = useNames();
  // A row may be about the alerts of a colleague.
  const isKnown = (id: string) => by === 'notification' || (by === 'trigger' ? triggers : sensors).has(id);
  const number = (name: string, of: (row: NoiseRow) => number) => ({
    ...{ name, right: true, isNamed: true },
    cell: (row: NoiseRow) => (of(row) === 0 ? <span class="quiet">0</span> : formatCount(of(row))),
  });
  return (
    <Table<NoiseRow>
      caption={t('The noisiest first')}
      rows={rows}
      most={LISTED}
      isCompact
      keyOf={({ id }) => id}
      columns={[
        {
          name: NAMES[by],
          cell: ({ id, name }) => {
            const severity = severities.get(id);
            if (name === null) return <span class="quiet">{t('deleted')}</span>;
            return (
              <span class="tags">
                <a class="strong" href={isKnown(id) ? href(`${PATHS[by]}/${id}`) : undefined}>
                  {name || t('without a name')}
                </a>
                {severity && <State of={severity} />}
              </span>
            );
          },
        },
        number(t('Alerts'), ({ episodes }) => episodes),
        number(t('Messages'), ({ deliveries }) => deliveries),
        number(t('At night'), (row) => row.at_night),
        {
          ...number(t('Acknowledged'), ({ acknowledged }) => acknowledged),
          cell: ({ acknowledged, median_to_acknowledge: after }) =>
            acknowledged === 0 ? (
              <span class="quiet">0</span>
            ) : (
              <span title={after === null ? '' : t('Half of them within {time}', { time: formatDuration(after) })}>
                <State of="acknowledged">{formatCount(acknowledged)}</State>
              </span>
            ),
        },
        number(t('Over alone'), (row) => row.ended_alone),
        { name: t('How long they last'), isNamed: true, cell: (row) => <Durations {...row} bounds={bounds} /> },
      ]}
    />
  );
}

/** The lengths of alerts as small bars, from the shortest to the longest. */
function Durations({ durations, median_duration: median, bounds }: NoiseRow & { bounds: readonly number[] }) {
  const most = Math.max(1, ...durations);
  const texts = durations.map((n, at) => {
    const bound = bounds[at];
    const length =
      bound === undefined
        ? t('{time} or more', { time: formatDuration(bounds.at(-1) ?? 0) })
        : t('under {time}', { time: formatDuration(bound) });
    return `${length}: ${many(n, '{n} alert', '{n} alerts')}`;
  });
  return (
    <span class="line lengths" title={texts.join('\n')}>
      <span class="bars" role="img" aria-label={texts.join(', ')}>
        {durations.map((n, at) => (
          <span key={bounds[at]} style={{ height: `${(n / most) * 100}%` }} />
        ))}
      </span>
      <span class="small quiet nowrap">{median === null ? '–' : formatDuration(median)}</span>
    </span>
  );
}
