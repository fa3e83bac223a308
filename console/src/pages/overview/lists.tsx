import type { ComponentChildren } from 'preact';
import { api, ask, sentence } from '../../api';
import { firingsChanged } from '../../firing-stream';
import { formatAge, formatDate } from '../../format';
import { many, t } from '../../language';
import { href } from '../../router';
import { useUser } from '../../session';
import { Action } from '../../ui/action';
import { NoData } from '../../ui/no-data';
import { Breaks, Status } from '../../ui/page';
import { State } from '../../ui/state';
import { worstFirst } from '../alerts/worst';
import { sensorOf, triggerOf } from '../deliveries/summary';
import { type Names, withFired } from '../names';
import { valueText } from '../sensor/firings';
import { ruleText } from '../sensor/rule-text';
import type { Failures, Firing, Quiet } from './load';

const MOST = 8;

/** The first of some things, and the number of the others. */
function Short<T>({
  items,
  none,
  keyOf,
  children,
}: {
  items: readonly T[];
  none: string;
  keyOf: (item: T) => string;
  children: (item: T) => ComponentChildren;
}) {
  if (items.length === 0) return <p class="quiet">{none}</p>;
  const others = items.length - MOST;
  return (
    <div class="stack tight">
      <ul class="rows">
        {items.slice(0, MOST).map((item) => (
          <li key={keyOf(item)} class="line spread">
            {children(item)}
          </li>
        ))}
      </ul>
      {others > 0 && <p class="quiet small">{t('and {n} more', { n: others })}</p>}
    </div>
  );
}

/** Instead of “All is well” while no worker evaluates data. */
export const NONE_KNOWN = 'No alert is firing, as far as data was evaluated.';

interface FiringProps {
  firings: readonly Firing[];
  names: Names;
  isStill: boolean;
}

/** Firing alerts by their triggers, the most urgent first. */
export function FiringList({ firings, names: known, isStill }: FiringProps) {
  const names = withFired(known, firings);
  const none = isStill ? t(NONE_KNOWN) : t('All is well: no alert is firing.');
  const groups = byTrigger(firings);
  const rows = Math.max(2, Math.floor(MOST / groups.length));
  return (
    <Short items={groups} keyOf={([first]) => first?.trigger_id ?? ''} none={none}>
      {(group) => <FiringGroup {...{ group, names, rows }} />}
    </Short>
  );
}

function byTrigger(firings: readonly Firing[]): Firing[][] {
  const groups = new Map<string, Firing[]>();
  for (const firing of firings) {
    const known = groups.get(firing.trigger_id);
    if (known) known.push(firing);
    else groups.set(firing.trigger_id, [firing]);
  }
  return [...groups.values()];
}

/** The alerts of one trigger: why they fired, and the sensors with the worst values, to acknowledge at once. */
function FiringGroup({ group, names, rows }: { group: readonly Firing[]; names: Names; rows: number }) {
  const [first] = group;
  if (!first) return null;
  const path = href(`/alerts?by=trigger&trigger=${first.trigger_id}`);
  const others = group.length - rows;
  const worst = worstFirst(group, (firing) => firing).slice(0, rows);
  return (
    <div class="stack tight">
      <div class="line spread">
        <a class="strong" href={path}>
          {triggerOf(first.trigger_id, names)}
        </a>
        <div class="line">
          <State of={first.severity} />
          <span class="numbers">{many(group.length, '{n} alert', '{n} alerts')}</span>
        </div>
      </div>
      <div class="small quiet breakable two-lines">
        {[...new Set(group.map((one) => ruleText(one, names.records.get(one.sensor_id))))].join(' · ')}
      </div>
      <ul class="worst">
        {worst.map((firing) => (
          <FiringItem key={firing.id} {...{ firing, names }} />
        ))}
      </ul>
      {others > 0 && (
        <a class="small" href={path}>
          {t('and {n} more', { n: others })}
        </a>
      )}
    </div>
  );
}

interface ItemProps extends Pick<FiringProps, 'names'> {
  firing: Firing;
}

function FiringItem({ firing, names }: ItemProps) {
  const { id, sensor_id, trigger_id, date, acknowledged } = firing;
  // Those of colleagues are acknowledged on the page of alerts.
  const isOwn = firing.owner_id === useUser().id;
  const name = triggerOf(trigger_id, names);
  const sensor = sensorOf(sensor_id, names);
  const record = names.records.get(sensor_id);
  const acknowledge = async () => {
    await ask(api.post('/firings/{id}/acknowledge', { params: { path: { id } }, body: {} }));
    firingsChanged();
  };
  return (
    <li>
      <div>
        <a href={record && href(`/sensors/${sensor_id}?at=${date}`)}>{sensor}</a>{' '}
        <span class="small quiet nowrap" title={formatDate(date)}>
          {formatAge(date)}
        </span>
      </div>
      <strong class="numbers">{valueText(firing, record)}</strong>
      {acknowledged ? (
        <State of="acknowledged" />
      ) : (
        isOwn && (
          <Action
            kind="small-button"
            label={t('Acknowledge {name} on {sensor}', { name, sensor })}
            done={t('Acknowledged. It will not repeat until it is over.')}
            act={acknowledge}
          >
            {t('Acknowledge')}
          </Action>
        )
      )}
    </li>
  );
}

/** Sensors without data, and since when. */
export function QuietList({ quiet, names }: { quiet: readonly Quiet[]; names: Names }) {
  return (
    <Short items={quiet} keyOf={({ id }) => id} none={t('Every sensor sends data as expected.')}>
      {({ id, since }) => (
        <>
          <a class="strong" href={href(`/sensors/${id}`)}>
            {sensorOf(id, names)}
          </a>
          <NoData since={since} />
        </>
      )}
    </Short>
  );
}

/** Notifications and sources that do not work, and why. */
export function FailureList({ failures, hasNotifications, standstill }: Failures) {
  if (standstill && failures.length === 0) return <p class="quiet">{sentence(standstill.reason)}</p>;
  const none = hasNotifications
    ? t('All notifications and MQTT sources work.')
    : t('No notification is set up: alerts reach nobody.');
  return (
    <Short items={failures} keyOf={({ path }) => path} none={none}>
      {({ name, path, why, since, isWaiting }) => (
        <>
          <div>
            <a class="strong breakable" href={href(path)}>
              <Breaks text={name} />
            </a>
            <div class="small quiet breakable">
              {[why, since !== null && formatAge(since)].filter(Boolean).join(' · ')}
            </div>
          </div>
          <Status kind="bad">{isWaiting ? t('waiting') : t('failing')}</Status>
        </>
      )}
    </Short>
  );
}

/** Why nothing at all is evaluated or sent, and for how long. */
export function StandstillLine({ reason, since }: NonNullable<Failures['standstill']>) {
  return (
    <p class="message error" role="alert">
      {t('The platform stands still. {reason} Something of yours has waited since {date} ({age}). Tell its operator.', {
        reason: sentence(reason),
        date: formatDate(since),
        age: formatAge(since),
      })}
    </p>
  );
}
