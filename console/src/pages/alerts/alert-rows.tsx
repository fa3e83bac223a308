import { useState } from 'preact/hooks';
import type { Records } from '../../api';
import { columnOf, formatAge, formatDate, formatDuration, formatShort, formatValue, personName } from '../../format';
import { type PlainText, t } from '../../language';
import { href } from '../../router';
import { useUser } from '../../session';
import { Status } from '../../ui/page';
import { SeverityStatus } from '../../ui/severity';
import { type Column, Table } from '../../ui/table';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import { chartPath, dateOf, valueText } from '../sensor/firings';
import { ruleText } from '../sensor/rule-text';
import { AlertActions, type Failure } from './actions';
import type { Grouping } from './groups';
import type { Alert, Firing } from './load';
import type { useCurrentValues } from './values';

export interface AlertRowsProps {
  alerts: readonly Alert[];
  /** What the alerts of a group have in common; a row does not repeat it. */
  by: Grouping;
  names: Names;
  /** The latest points, by sensor. */
  values: ReturnType<typeof useCurrentValues>;
  selected: ReadonlySet<string>;
  onSelected: (ids: readonly string[], on: boolean) => void;
  onDone: (failures: Failure[]) => void;
}

const MOST = 100;

/** Alerts in a table; open ones can be selected, acknowledged, muted and resolved. */
export function AlertRows(props: AlertRowsProps) {
  const { alerts, names, values, onDone } = props;
  const [unfolded, setUnfolded] = useState('');
  const shown = alerts.flatMap((alert) => [alert, ...(unfolded === alert.id ? alert.behind : [])]);
  const parts = columnOf(
    shown.map(({ latest: { sensor_id: id } }) => [values.get(id)?.value ?? '', names.records.get(id)]),
  );
  const actions: Column<Alert> = {
    name: t('Actions'),
    right: true,
    cell: (alert) => isOpen(alert) && <AlertActions alert={alert} name={nameOf(alert, names)} onDone={onDone} />,
  };
  return (
    <Table<Alert>
      caption={t('Alerts')}
      rows={shown}
      most={MOST}
      keyOf={({ id }) => id}
      columns={[
        { name: t('Sensor'), cell: (alert) => <Where {...props} {...{ alert, unfolded, setUnfolded }} /> },
        { name: t('Value'), cell: ({ latest }) => <Value firing={latest} {...{ names, values, parts }} /> },
        { name: t('State'), cell: ({ latest }) => <AlertState firing={latest} /> },
        { name: t('Since'), isNamed: true, cell: ({ first }) => <Since firing={first} /> },
        ...(alerts.some(isOpen) ? [actions] : []),
      ]}
    />
  );
}

export function isOpen({ latest }: Alert): boolean {
  return latest.ended === null;
}

function nameOf({ latest }: Alert, names: Names): string {
  return t('{trigger} on {sensor}', {
    trigger: triggerOf(latest.trigger_id, names),
    sensor: sensorOf(latest.sensor_id, names),
  });
}

interface WhereProps extends AlertRowsProps {
  alert: Alert;
  /** The alert that shows the alerts behind it. */
  unfolded: string;
  setUnfolded: (id: string) => void;
}

/** The sensor, and what fired on it: the rule unless all alerts of the group have it. */
function Where({ alert, by, names, selected, onSelected, unfolded, setUnfolded }: WhereProps) {
  const { id, latest, behind } = alert;
  const isUnfolded = unfolded === id;
  return (
    <div class="alert-where">
      {isOpen(alert) && (
        <input
          type="checkbox"
          aria-label={t('Select {name}', { name: nameOf(alert, names) })}
          checked={selected.has(id)}
          onChange={({ currentTarget }) => onSelected([id], currentTarget.checked)}
        />
      )}
      <div>
        <a class="strong" href={href(chartPath(latest.sensor_id, dateOf(latest)))}>
          {sensorOf(latest.sensor_id, names)}
        </a>
        <div class="small">
          <a href={href(`/sensors/${latest.sensor_id}/triggers/${latest.trigger_id}`)}>
            {by === 'trigger' ? t('Why?') : triggerOf(latest.trigger_id, names)}
          </a>
        </div>
        {by !== 'trigger' && (
          <div class="small quiet breakable two-lines">{ruleText(latest, names.records.get(latest.sensor_id))}</div>
        )}
        {behind.length > 0 && (
          <button
            type="button"
            class="button small-button"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(isUnfolded ? '' : id)}
          >
            {t('{n} behind it', { n: behind.length })}
          </button>
        )}
      </div>
    </div>
  );
}

const RESOLVED_BY: Record<string, PlainText> = {
  data: 'by data',
  user: 'by hand',
  edit: 'by a change of the trigger',
};

export function AlertState({ firing }: { firing: Firing }) {
  const { severity, ended, resolved_by: by, acknowledged, muted, muted_now: now } = firing;
  const resolvedBy = by === null ? undefined : RESOLVED_BY[by];
  return (
    <div class="stack tight">
      <span class="tags">
        {ended === null ? <SeverityStatus severity={severity} /> : <Status kind="good">{t('resolved')}</Status>}
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
      {note.startsWith('by the link in ') ? note : `${note && `${t('“{name}”', { name: note })} `}${by}`}
      {`, ${formatShort(date)}`}
    </span>
  );
}

interface ValueProps extends Pick<AlertRowsProps, 'names' | 'values'> {
  firing: Firing;
  parts: ReturnType<typeof columnOf>;
}

/** The present value with its age while the alert is open, and the value at the firing. */
function Value({ firing, names, values, parts }: ValueProps) {
  const sensor = names.records.get(firing.sensor_id);
  const now = values.get(firing.sensor_id);
  const fired = valueText(firing, sensor, parts);
  if (firing.ended !== null) return <div class="numbers">{fired}</div>;
  if (firing.reason === 'inactivity') {
    return (
      <div class="alert-value numbers">
        {fired}
        <div class="small quiet">{now ? t('since {date}', { date: formatShort(now.date) }) : '…'}</div>
      </div>
    );
  }
  const [shown, age] = now ? [formatValue(now.value, sensor, parts), formatAge(now.date)] : ['…', '…'];
  return (
    <div class="alert-value numbers">
      <strong title={now && formatDate(now.date)}>{shown}</strong>
      <div class="small quiet">{shown === fired ? age : t('{age}; fired at {value}', { age, value: fired })}</div>
    </div>
  );
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
