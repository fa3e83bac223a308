import { formatAge, formatCount } from '../format';
import { type PlainText, t } from '../language';
import { searchOf } from '../search/selectors';
import { Status } from '../ui/page';
import { SEVERITIES, colourOf as severityColour } from '../ui/severity';
import type { TileData, TileSensor, ViewProps } from './source';
import { TileList } from './tile-list';

type State = NonNullable<TileSensor['state']>;

export const WORDS: Readonly<Record<State, PlainText>> = {
  firing: 'firing|state',
  silent: 'no data',
  pending: 'pending',
  ok: 'ok',
  none: 'no trigger',
};
const COLOURS: Readonly<Partial<Record<State, 'good' | 'warn'>>> = { silent: 'warn', pending: 'warn', ok: 'good' };
const URGENCY: readonly unknown[] = [...SEVERITIES, 'silent', 'pending', 'ok', 'none'];

/** The colour of the state of a sensor. */
export function colourOf({ state, severity }: TileSensor) {
  return state === 'firing' && severity ? severityColour(severity) : COLOURS[state ?? 'none'];
}

function rankOf({ available, state, severity }: TileSensor): number {
  return available ? URGENCY.indexOf(state === 'firing' ? severity : state) : URGENCY.length;
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
  const { id, available, name, state, since } = sensor;
  if (!available) return <span class="quiet">{t('not available')}</span>;
  return (
    <>
      <span class="tile-name" title={name}>
        {id && linkTo ? <a href={linkTo(`/sensors/${id}`)}>{name}</a> : name}
      </span>
      {since !== null && !isSmall && <span class="small quiet">{formatAge(since, now * 1_000)}</span>}
      <Status kind={colourOf(sensor)}>{t(WORDS[state ?? 'none'])}</Status>
    </>
  );
}

/** How many sensors are out of sight, and how many of these need attention. */
function Rest({ data: { counts, sensor_count: total }, shown }: { data: TileData; shown: readonly TileSensor[] }) {
  const n = total - shown.length;
  if (n <= 0 || !counts) return null;
  const visible = (state: State) => shown.filter((sensor) => sensor.state === state).length;
  const firing = firingOf(counts) - visible('firing');
  const { silent: inactive } = counts;
  const text = t('{n} more: {firing} firing, {inactive} no data', {
    ...{ n, firing, inactive: inactive - visible('silent') },
  });
  return <Status kind={firing > 0 ? 'bad' : undefined}>{text}</Status>;
}

function firingOf({ critical, warning, info }: NonNullable<TileData['counts']>): number {
  return critical + warning + info;
}

/** How many sensors are in each state, in large digits. */
export function CountsView({ data: { counts }, tile, title, linkTo }: ViewProps) {
  if (!counts) return null;
  const { critical, warning, silent: inactive, pending, ok, none } = counts;
  const colour = critical > 0 ? 'bad' : warning > 0 ? 'warn' : undefined;
  const numbers: [State, number, string | undefined][] = [
    ['firing', firingOf(counts), colour],
    ['silent', inactive, inactive > 0 ? 'warn' : undefined],
    ['pending', pending, pending > 0 ? 'warn' : undefined],
    ['ok', ok, undefined],
    ['none', none, undefined],
  ];
  const isSeldom = (state: State) => state === 'pending' || state === 'none';
  const search = tile.sensors?.length ? undefined : searchOf(tile.selector);
  const linkOf = (state: State) =>
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
            <li key={state} class={kind ?? ''}>
              <a href={linkOf(state)}>
                <strong class="numbers">{formatCount(n)}</strong> <span>{t(WORDS[state])}</span>
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
      {total === 0 && <Status kind="good">{t('No open alerts')}</Status>}
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
      <Status kind={acknowledged ? undefined : severity === 'critical' ? 'bad' : 'warn'}>
        {acknowledged ? t('acknowledged') : t(severity)}
      </Status>
    </>
  );
}
