import { useState } from 'preact/hooks';
import type { Records } from '../../api';
import { formatAge, formatDate, formatDuration, formatShort, formatValue, personName } from '../../format';
import { type PlainText, t } from '../../language';
import { href } from '../../router';
import { useUser } from '../../session';
import { State } from '../../ui/state';
import { type StateName, stateWord } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { sensorOf, triggerOf } from '../deliveries/summary';
import { TeamOf } from '../forms';
import type { Names } from '../names';
import { chartPath, dateOf, partsOf, valueText } from '../sensor/firings';
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
  /** False for alerts that the user only sees; undefined until that is known. */
  isHandled: (firing: Firing) => boolean | undefined;
}

const MOST = 100;

/** A line for each alert, a card on a phone; open ones can be selected, acknowledged, muted and resolved. */
export function AlertRows(props: AlertRowsProps) {
  const { alerts, names, values, selected, onSelected, onDone, isHandled } = props;
  const [unfolded, setUnfolded] = useState('');
  const shown = alerts.flatMap((alert) => [alert, ...(unfolded === alert.id ? alert.behind : [])]);
  const box: Column<Alert> = {
    ...{ name: t('Selected'), isBox: true },
    cell: (alert) =>
      isOpen(alert) &&
      isHandled(alert.latest) && (
        <input
          type="checkbox"
          aria-label={t('Select {name}', { name: nameOf(alert, names) })}
          checked={selected.has(alert.id)}
          onChange={({ currentTarget }) => onSelected([alert.id], currentTarget.checked)}
        />
      ),
  };
  const actions: Column<Alert> = {
    ...{ name: t('Actions'), right: true },
    cell: (alert) => {
      const handled = isOpen(alert) ? isHandled(alert.latest) : undefined;
      if (handled) return <AlertActions alert={alert} name={nameOf(alert, names)} onDone={onDone} />;
      if (handled === undefined) return false;
      return (
        <div class="actions">
          <span class="small quiet">{t('You only see it.')}</span>
        </div>
      );
    },
  };
  const isActive = alerts.some(isOpen);
  return (
    <div class={`alerts ${isActive ? 'is-open' : ''}`}>
      <Table<Alert>
        caption={t('Alerts')}
        rows={shown}
        most={MOST}
        keyOf={({ id }) => id}
        columns={[
          ...(isActive ? [box] : []),
          { name: t('State'), cell: ({ latest }) => <States firing={latest} /> },
          { name: t('Sensor'), cell: (alert) => <Where {...{ alert, names, unfolded, setUnfolded }} /> },
          { name: t('Value'), cell: ({ latest }) => <Value firing={latest} {...{ names, values }} /> },
          { name: t('Rule'), cell: ({ latest }) => <Rule firing={latest} {...props} /> },
          { name: t('Since'), isNamed: true, cell: ({ first }) => <Since firing={first} /> },
          ...(isActive ? [actions] : []),
        ]}
      />
    </div>
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

interface WhereProps {
  alert: Alert;
  names: Names;
  /** The alert that shows the alerts behind it. */
  unfolded: string;
  setUnfolded: (id: string) => void;
}

function Where({ alert: { id, latest, behind }, names, unfolded, setUnfolded }: WhereProps) {
  const isUnfolded = unfolded === id;
  const { muted_now: now } = latest;
  const isOwn = latest.owner_id === useUser().id;
  const name = sensorOf(latest.sensor_id, names);
  return (
    <>
      <a
        class="strong"
        href={names.records.has(latest.sensor_id) ? href(chartPath(latest.sensor_id, dateOf(latest))) : undefined}
        title={name}
      >
        {name}
      </a>{' '}
      {now && (
        <div>
          <Muted {...now} isOwn={isOwn} />
        </div>
      )}
      {behind.length > 0 && (
        <div>
          <button
            type="button"
            class="button small-button"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(isUnfolded ? '' : id)}
          >
            {t('{n} behind it', { n: behind.length })}
          </button>
        </div>
      )}
    </>
  );
}

/** The rule, unless all alerts of the group have it, as a link to why it fired; and who knows of the alert. */
function Rule({ firing, by, names }: { firing: Firing } & Pick<AlertRowsProps, 'by' | 'names'>) {
  const { sensor_id, trigger_id, acknowledged } = firing;
  // Others need the sensor to be shared as well.
  const explained = firing.owner_id === useUser().id || names.records.has(sensor_id);
  return (
    <>
      <a href={explained ? href(`/sensors/${sensor_id}/triggers/${trigger_id}`) : undefined}>
        {by !== 'trigger' ? triggerOf(trigger_id, names) : explained && t('Why?')}
      </a>{' '}
      {acknowledged && <Acknowledged {...acknowledged} />}{' '}
      {(firing.group_id || firing.assigned) && <TeamOf firing={firing} />}
    </>
  );
}

/** The states of an alert in a line. Of several, the severity is a sign whose word is read. */
function States({ firing }: { firing: Firing }) {
  const { severity, ended, acknowledged, muted, muted_now: now, held_by: held } = firing;
  const others: StateName[] = [
    ...(acknowledged ? (['acknowledged'] as const) : []),
    ...(held && ended === null ? (['held'] as const) : []),
    ...(now || muted ? (['muted'] as const) : []),
  ];
  const first = ended === null ? severity : 'resolved';
  return (
    <span class="tags">
      {others.length > 0 ? (
        <State of={first}>
          <span class="only-read">{stateWord(first)}</span>
        </State>
      ) : (
        <State of={first} />
      )}
      {others.map((one) => (
        <State key={one} of={one} />
      ))}
    </span>
  );
}

const RESOLVED_BY: Record<string, PlainText> = {
  data: 'by data',
  user: 'by hand',
  edit: 'by a change of the trigger',
};

/** The states of an alert, and who has changed them. */
export function AlertState({ firing }: { firing: Firing }) {
  const { resolved_by: by, acknowledged, muted_now: now } = firing;
  const isOwn = firing.owner_id === useUser().id;
  const resolvedBy = by === null ? undefined : RESOLVED_BY[by];
  return (
    <div class="stack tight">
      <States firing={firing} />
      {now && <Muted {...now} isOwn={isOwn} />}
      {resolvedBy && <span class="small quiet">{t(resolvedBy)}</span>}
      {acknowledged && <Acknowledged {...acknowledged} />}
    </div>
  );
}

/** Until when; a mute of the user can be ended on the page of mutes. */
function Muted({ until, by, isOwn }: Records['MutedNowView'] & { isOwn: boolean }) {
  const text = t('until {date}', { date: formatShort(until) });
  if (by === 'trigger' || !isOwn) return <span class="small quiet">{text}</span>;
  return (
    <a class="small" href={href('/mutes')}>
      {text}
    </a>
  );
}

/** The user who acknowledged it, when, and the beginning of their note. */
function Acknowledged({ user_id: id, username, person, date, note }: Records['AcknowledgedView']) {
  const user = useUser();
  const name = person || personName({ id, username: username ?? '' });
  const by = id === user.id && !person ? t('by you') : t('by {person}', { person: name });
  const isByLink = note.startsWith('by the link in ') && !person;
  const text = `${isByLink ? note : by}, ${formatShort(date)}${note && !isByLink ? ` ${t('“{name}”', { name: note })}` : ''}`;
  return (
    <div class="small quiet breakable two-lines" title={text}>
      {text}
    </div>
  );
}

interface ValueProps extends Pick<AlertRowsProps, 'names' | 'values'> {
  firing: Firing;
}

/** Then the present value says how old it is. */
const OLD_S = 300;

/** The present value while the alert is open, otherwise that of the firing, and the limit of the rule. */
function Value({ firing, names, values }: ValueProps) {
  const sensor = names.records.get(firing.sensor_id);
  const now = values.get(firing.sensor_id);
  const fired = valueText(firing, sensor);
  const rule = <span class="small quiet">{ruleText(firing, sensor)}</span>;
  if (firing.ended !== null || firing.reason === 'inactivity' || !sensor) {
    return (
      <span class="alert-value numbers">
        <strong>{fired}</strong> {rule}{' '}
        {firing.ended === null && now && (
          <span class="small quiet">{t('since {date}', { date: formatShort(now.date) })}</span>
        )}
      </span>
    );
  }
  const [shown, age] = now
    ? [formatValue(now.value, sensor, partsOf(firing, sensor, now.value)), formatAge(now.date)]
    : ['…', '…'];
  return (
    <span class="alert-value numbers" title={t('{age}; fired at {value}', { age, value: fired })}>
      <strong>{shown}</strong> {rule}
      {now && Date.now() / 1000 - now.date > OLD_S && <span class="small quiet"> {age}</span>}
    </span>
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
