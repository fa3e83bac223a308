import { formatAge, formatCount } from '../format';
import { many, t } from '../language';
import { searchOf } from '../search/selectors';
import { State } from '../ui/state';
import { STATES, type StateName, stateWord, worstState } from '../ui/states';
import type { TileData, TileSensor, ViewProps } from './source';
import { TileList } from './tile-list';

type Counted = NonNullable<TileSensor['state']>;

/** The state of the sensor of a tile. */
export function stateOf({ state, severity }: TileSensor): StateName {
  if (state === 'firing') return severity ?? 'warning';
  return state === 'silent' ? 'inactive' : (state ?? 'none');
}

function rankOf(sensor: TileSensor): number {
  return sensor.available ? STATES.indexOf(stateOf(sensor)) : STATES.length;
}

function byUrgency(a: TileSensor, b: TileSensor): number {
  return rankOf(a) - rankOf(b) || a.name.localeCompare(b.name, undefined, { numeric: true });
}

/** The state of each sensor, the most urgent first. */
export function StateView({ data, now, title, linkTo }: ViewProps) {
  const sensors = [...data.sensors].sort(byUrgency);
  return (
    <>
      {!title && <h2>{t('State')}</h2>}
      <TileList
        items={sensors}
        keyOf={({ id }, at) => id ?? at}
        width={15}
        rowOf={(sensor, isSmall) => <StateRow {...{ sensor, now, linkTo, isSmall }} />}
        restOf={(shown) => <Rest data={data} shown={sensors.slice(0, shown)} />}
      />
    </>
  );
}

interface RowProps extends Pick<ViewProps, 'now' | 'linkTo'> {
  sensor: TileSensor;
  isSmall: boolean;
}

function StateRow({ sensor, now, linkTo, isSmall }: RowProps) {
  const { id, available, name, since } = sensor;
  if (!available) return <span class="quiet">{t('not available')}</span>;
  return (
    <>
      <span class="tile-name" title={name}>
        {id && linkTo ? <a href={linkTo(`/sensors/${id}`)}>{name}</a> : name}
      </span>
      {since !== null && !isSmall && <span class="small quiet">{formatAge(since, now * 1_000)}</span>}
      <State of={stateOf(sensor)} />
    </>
  );
}

/** How many sensors are out of sight, and how many of these need attention. */
function Rest({ data: { counts, sensor_count: total }, shown }: { data: TileData; shown: readonly TileSensor[] }) {
  const n = total - shown.length;
  if (n <= 0 || !counts) return null;
  const visible = (state: Counted) => shown.filter((sensor) => sensor.state === state).length;
  const firing = firingOf(counts) - visible('firing');
  const { silent: inactive } = counts;
  const text = t('{n} more: {firing} firing, {inactive} no data', {
    ...{ n, firing, inactive: inactive - visible('silent') },
  });
  return <p class="small quiet">{text}</p>;
}

function firingOf({ critical, warning, info }: NonNullable<TileData['counts']>): number {
  return critical + warning + info;
}

function wordOf(state: Counted, n: number): string {
  if (state === 'firing') return n === 1 ? t('firing|state') : t('firing');
  return stateWord(state === 'silent' ? 'inactive' : state);
}

/** How many sensors are in each state, in large digits. */
export function CountsView({ data: { counts }, tile, title, linkTo }: ViewProps) {
  if (!counts) return null;
  const { silent: inactive, pending, ok, none } = counts;
  const firing = worstState((['critical', 'warning', 'info'] as const).filter((one) => counts[one] > 0));
  const numbers: [Counted, number, StateName | undefined][] = [
    ['firing', firingOf(counts), firing],
    ['silent', inactive, 'inactive'],
    ['pending', pending, 'pending'],
    ['ok', ok, undefined],
    ['none', none, undefined],
  ];
  const isSeldom = (state: Counted) => state === 'pending' || state === 'none';
  const search = tile.sensors?.length ? undefined : searchOf(tile.selector);
  const linkOf = (state: Counted) =>
    search !== undefined && state !== 'none'
      ? linkTo?.(`/sensors?q=${encodeURIComponent(`${search} state:${state}`.trim())}`)
      : undefined;
  return (
    <>
      {!title && <h2>{t('Counts')}</h2>}
      <ul>
        {numbers
          .filter(([state, n]) => n > 0 || !isSeldom(state))
          .map(([state, n, kind]) => (
            <li key={state} class={n > 0 && kind ? `is-${kind}` : ''} title={many(n, '{n} sensor', '{n} sensors')}>
              <a href={linkOf(state)}>
                <strong class="numbers">{formatCount(n)}</strong> <span>{wordOf(state, n)}</span>
              </a>
            </li>
          ))}
      </ul>
    </>
  );
}

/** Open alerts, the most serious first. */
export function AlertsView({ data: { alerts, alert_count: total }, now, title }: ViewProps) {
  return (
    <>
      {!title && <h2>{t('Alerts')}</h2>}
      {total === 0 && <State of="ok">{t('No open alerts')}</State>}
      <TileList
        items={alerts}
        keyOf={({ trigger, sensor, since }) => `${trigger} ${sensor} ${since}`}
        width={24}
        rowOf={(alert, isSmall) => <AlertRow {...{ alert, now, isSmall }} />}
        restOf={(n) => n < total && <p class="small quiet">{t('{n} of {total} alerts', { n, total })}</p>}
      />
    </>
  );
}

type Alert = TileData['alerts'][number];

function AlertRow({ alert, now, isSmall }: { alert: Alert; now: number; isSmall: boolean }) {
  const { trigger, sensor, severity, since, acknowledged } = alert;
  return (
    <>
      <span class="tile-name" title={`${sensor}: ${trigger}`}>
        <strong>{sensor}</strong> <span class="quiet">{trigger}</span>
      </span>
      {!isSmall && <span class="small quiet">{formatAge(since, now * 1_000)}</span>}
      <State of={acknowledged ? 'acknowledged' : severity} />
    </>
  );
}
