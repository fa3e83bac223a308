import type { Records } from '../../api';
import { formatAge, formatDate, formatDuration, formatShort, personName } from '../../format';
import { type PlainText, t, tx } from '../../language';
import { href } from '../../router';
import { useUser } from '../../session';
import { Status } from '../../ui/page';
import { Table } from '../../ui/table';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import { chartPath, dateOf } from '../sensor/firings';
import { ruleOf } from '../sensor/triggers';
import { AlertActions, type Failure } from './actions';
import { type Alert, type Firing, SEVERITY_NAMES } from './load';
import { type useCurrentValues, valueWithUnit } from './values';

export interface AlertRowsProps {
  alerts: readonly Alert[];
  names: Names;
  /** The latest points, by sensor. */
  values: ReturnType<typeof useCurrentValues>;
  selected: ReadonlySet<string>;
  onSelected: (ids: readonly string[], on: boolean) => void;
  onDone: (failures: Failure[]) => void;
}

/** Alerts in a table; open ones can be selected, acknowledged, resolved and muted. */
export function AlertRows(props: AlertRowsProps) {
  const { alerts, names, values, onDone } = props;
  return (
    <Table<Alert>
      caption={t('Alerts')}
      rows={alerts}
      keyOf={({ id }) => id}
      columns={[
        { name: t('Alert'), cell: (alert) => <Where {...props} alert={alert} /> },
        {
          name: t('Severity'),
          cell: ({ latest: { severity } }) => (
            <Status kind={SEVERITIES[severity]}>{t(SEVERITY_NAMES[severity])}</Status>
          ),
        },
        { name: t('State'), cell: ({ latest }) => <AlertState firing={latest} /> },
        { name: t('Value'), cell: ({ latest }) => <Value firing={latest} names={names} values={values} /> },
        { name: t('Since'), cell: ({ first }) => <Since firing={first} /> },
        {
          name: t('Actions'),
          right: true,
          cell: (alert) =>
            alert.latest.ended === null && (
              <AlertActions alerts={[alert]} name={triggerOf(alert.latest.trigger_id, names)} onDone={onDone} />
            ),
        },
      ]}
    />
  );
}

function Where({ alert: { id, latest }, names, selected, onSelected }: AlertRowsProps & { alert: Alert }) {
  const trigger = triggerOf(latest.trigger_id, names);
  const sensor = sensorOf(latest.sensor_id, names);
  return (
    <div class="alert-where">
      {latest.ended === null && (
        <input
          type="checkbox"
          aria-label={t('Select {trigger} on {sensor}', { trigger, sensor })}
          checked={selected.has(id)}
          onChange={({ currentTarget }) => onSelected([id], currentTarget.checked)}
        />
      )}
      <div>
        <a class="strong" href={href(`/sensors/${latest.sensor_id}/triggers/${latest.trigger_id}`)}>
          {trigger}
        </a>
        <div class="small breakable two-lines">{ruleOf(latest)}</div>
        <div class="small quiet">
          {tx('on {sensor}', { sensor: <a href={href(chartPath(latest.sensor_id, dateOf(latest)))}>{sensor}</a> })}
        </div>
      </div>
    </div>
  );
}

export const SEVERITIES = { info: undefined, warning: 'warn', critical: 'bad' } as const;

const RESOLVED_BY: Record<string, PlainText> = {
  data: 'by data',
  user: 'by hand',
  edit: 'by a change of the trigger',
};

export function AlertState({
  firing: { ended, resolved_by: by, acknowledged, muted, muted_now: now },
}: {
  firing: Firing;
}) {
  const resolvedBy = by === null ? undefined : RESOLVED_BY[by];
  return (
    <div class="stack tight">
      <span class="tags">
        <Status kind={ended === null ? 'bad' : 'good'}>{ended === null ? t('firing|state') : t('resolved')}</Status>
        {acknowledged && <Status kind="warn">{t('acknowledged')}</Status>}
        {(now || muted) && <Status>{t('muted')}</Status>}
      </span>
      {now && <Muted {...now} />}
      {resolvedBy && <span class="small quiet">{t(resolvedBy)}</span>}
      {acknowledged && <Acknowledged {...acknowledged} />}
    </div>
  );
}

/** Until when; a mute of the user can be ended on the page of mutes. */
function Muted({ until, by }: Records['MutedNowView']) {
  const text = t('until {date}', { date: formatShort(until) });
  if (by === 'trigger') return <span class="small quiet">{text}</span>;
  return (
    <a class="small" href={href('/mutes')}>
      {text}
    </a>
  );
}

/** The user who acknowledged it, when, and their note. */
function Acknowledged({ user_id: id, date, note }: Records['AcknowledgedView']) {
  const user = useUser();
  const by = id === user.id ? t('by you') : t('by {person}', { person: personName({ id }) });
  return (
    <span class="small quiet breakable">
      {note.startsWith('by the link in ') ? note : `${note && `“${note}” `}${by}`}
      {`, ${formatShort(date)}`}
    </span>
  );
}

/** The value at the firing; under it the latest one with its age, or since when there is none, while the alert is open. */
function Value({ firing, names, values }: { firing: Firing } & Pick<AlertRowsProps, 'names' | 'values'>) {
  const sensor = names.records.get(firing.sensor_id);
  const now = values.get(firing.sensor_id);
  return (
    <div class="numbers">
      {valueText(firing, (value) => valueWithUnit(value, sensor))}
      {firing.ended === null && now !== undefined && (
        <div class="small quiet">
          {firing.reason === 'inactivity'
            ? t('no data since {date}', { date: formatShort(now.date) })
            : tx('now {value}, {age}', {
                value: <strong>{valueWithUnit(now.value, sensor)}</strong>,
                age: formatAge(now.date),
              })}
        </div>
      )}
    </div>
  );
}

function valueText({ reason, variables }: Firing, format: (value: string) => string): string {
  const value: unknown = Object(variables).sensor_data_value;
  if (reason === 'inactivity' || value === undefined || value === null) return t('no data');
  return format(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function Since({ firing: { date, ended } }: { firing: Firing }) {
  return (
    <div class="since" title={formatDate(date)}>
      {formatAge(date)}
      {ended !== null && (
        <div class="small quiet">{t('for {duration}', { duration: formatDuration(ended - date, 1) })}</div>
      )}
    </div>
  );
}
