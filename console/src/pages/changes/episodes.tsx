import type { Records } from '../../api';
import { placed } from '../../chart/bands';
import { MARGIN } from '../../chart/layout';
import type { Range } from '../../chart/load';
import { formatDate, formatDuration } from '../../format';
import { many, t } from '../../language';
import { href } from '../../router';
import { Status } from '../../ui/page';
import { Table } from '../../ui/table';
import { useSensorNames } from '../names';
import { chartPath } from '../sensor/firings';
import type { Episode, Numbers } from './run-effect';

/** Episodes of two rules; of a pair the first rule comes first. */
export type Compared = Pick<Records['BacktestComparisonView'], 'both' | 'only_this' | 'only_other'>;

const LISTED = 8;

/** The numbers of a rule, and how they differ from the other one. */
export function numbersText(now: Numbers, before: Numbers): string {
  const messages = many(now.deliveries, '{n} message', '{n} messages');
  const alerts = many(now.episodes, '{n} alert', '{n} alerts');
  const night = t('{n} of them at night', { n: now.at_night });
  return `${alerts}, ${differenceText(now.episodes - before.episodes)}. ${messages}, ${differenceText(
    now.deliveries - before.deliveries,
  )}; ${night}, ${differenceText(now.at_night - before.at_night)}.`;
}

function differenceText(more: number): string {
  if (more === 0) return t('no change');
  return more > 0 ? t('{n} more|comparison', { n: more }) : t('{n} fewer', { n: -more });
}

interface RowsProps {
  compared: Compared;
  range: Range;
  /** Space at both sides, in pixels. */
  gutter?: number;
  margin?: number;
  names: readonly [string, string];
}

/** The episodes of two rules as bars over time. Those of one rule alone stand out. */
export function EpisodeRows({ compared, range, gutter = 0, margin = MARGIN, names }: RowsProps) {
  const { both, only_this, only_other } = compared;
  const rows = [
    [...both.map((one) => barOf(one, false)), ...only_this.map((one) => barOf(one, true))],
    [
      ...both.map((one) => barOf({ ...one, date: one.date + one.later, ended: one.other_ended }, false)),
      ...only_other.map((one) => barOf(one, true)),
    ],
  ];
  return (
    <div style={{ paddingLeft: `${gutter}px`, paddingRight: `${margin}px` }}>
      {rows.map((bars, at) => (
        <div key={names[at]}>
          <div class="small quiet">{names[at]}</div>
          <div
            class={`band-row episodes e${at}`}
            role="img"
            aria-label={`${names[at]}: ${many(bars.length, '{n} alert', '{n} alerts')}`}
          >
            {placed(bars, range).map(({ key, from, isApart, style }) => (
              <span key={key} class={isApart ? 'apart' : ''} title={formatDate(from)} style={style} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

function barOf({ sensor_id, date, ended }: Episode, isApart: boolean) {
  return { key: `${sensor_id} ${date}`, from: date, to: ended ?? Date.now() / 1000, isApart };
}

/** The alerts of one of two rules alone, newest first. */
export function ChangedAlerts({ compared: { only_this, only_other } }: { compared: Compared }) {
  const nameOf = useSensorNames();
  const rows = [
    ...only_this.map((one) => ({ ...one, isNew: false })),
    ...only_other.map((one) => ({ ...one, isNew: true })),
  ].sort((a, b) => b.date - a.date);
  if (rows.length === 0) return <p class="quiet">{t('The alerts are the same.')}</p>;
  return (
    <Table<(typeof rows)[number]>
      caption={t('Alerts that vanish or appear')}
      rows={rows}
      most={LISTED}
      isCompact
      keyOf={({ sensor_id, date, isNew }) => `${sensor_id} ${date} ${isNew}`}
      columns={[
        {
          name: t('Begins'),
          cell: ({ sensor_id, date }) => <a href={href(chartPath(sensor_id, date))}>{formatDate(date)}</a>,
        },
        {
          name: t('Change|noun'),
          cell: ({ isNew }) => <Status kind={isNew ? 'warn' : 'good'}>{t(isNew ? 'appears' : 'vanishes')}</Status>,
        },
        {
          name: t('Lasts'),
          isNamed: true,
          cell: ({ date, ended }) => (ended === null ? t('still open') : formatDuration(ended - date)),
        },
        {
          name: t('Sensor'),
          cell: ({ sensor_id }) => nameOf({ id: sensor_id, name: '', display_name: '' }),
        },
      ]}
    />
  );
}
