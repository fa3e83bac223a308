import type { ComponentChildren } from 'preact';
import { api, ask, sentence } from '../../api';
import { firingsChanged } from '../../firing-stream';
import { formatAge, formatDate, formatList } from '../../format';
import { many, t } from '../../language';
import { href } from '../../router';
import { Action } from '../../ui/action';
import { NoData } from '../../ui/no-data';
import { Breaks, Status } from '../../ui/page';
import { SeverityStatus } from '../../ui/severity';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import { valueText } from '../sensor/firings';
import { ruleText } from '../sensor/rule-text';
import type { Failures, Firing, Quiet } from './load';

const MOST = 8;

/** The first of some things, and the number of the others. */
function Short<T>({
  items,
  total = items.length,
  none,
  keyOf,
  children,
}: {
  items: readonly T[];
  total?: number;
  none: string;
  keyOf: (item: T) => string;
  children: (item: T) => ComponentChildren;
}) {
  if (total === 0) return <p class="quiet">{none}</p>;
  const others = total - Math.min(MOST, items.length);
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
  total: number;
  names: Names;
  isStill: boolean;
}

/** Firing alerts, to acknowledge at once; if there are many, how many each trigger has. */
export function FiringList({ firings, total, names, isStill }: FiringProps) {
  const none = isStill ? t(NONE_KNOWN) : t('All is well: no alert is firing.');
  const groups = byTrigger(firings);
  if (firings.length > MOST && groups.length < firings.length) {
    return (
      <Short items={groups} keyOf={([first]) => first?.trigger_id ?? ''} none={none}>
        {(group) => <FiringGroup group={group} names={names} />}
      </Short>
    );
  }
  return (
    <Short items={firings} total={total} keyOf={({ id }) => id} none={none}>
      {(firing) => <FiringItem firing={firing} names={names} />}
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

/** The alerts of one trigger in one line, with the names of their sensors. */
function FiringGroup({ group, names }: { group: readonly Firing[] } & Pick<FiringProps, 'names'>) {
  const [first] = group;
  if (!first) return null;
  const open = group.filter(({ acknowledged }) => !acknowledged).length;
  const sensors = [...new Set(group.map((one) => one.sensor_id))].map((id) => sensorOf(id, names));
  return (
    <>
      <div>
        <a class="strong" href={href(`/alerts?by=trigger&trigger=${first.trigger_id}`)}>
          {triggerOf(first.trigger_id, names)}
        </a>
        <div class="small quiet breakable two-lines">{formatList(shortened(sensors))}</div>
        <div class="small quiet">{ruleText(first, names.records.get(first.sensor_id))}</div>
      </div>
      <div class="line">
        <SeverityStatus severity={first.severity} />
        <span class="numbers">{many(group.length, '{n} alert', '{n} alerts')}</span>
        {open === 0 && <Status>{t('acknowledged')}</Status>}
      </div>
    </>
  );
}

const NAMED = 3;

function shortened(names: readonly string[]): string[] {
  if (names.length <= NAMED) return [...names];
  return [...names.slice(0, NAMED), t('{n} more', { n: names.length - NAMED })];
}

function FiringItem({ firing, names }: { firing: Firing } & Pick<FiringProps, 'names'>) {
  const { id, sensor_id, trigger_id, severity, date, acknowledged } = firing;
  const name = triggerOf(trigger_id, names);
  const sensor = sensorOf(sensor_id, names);
  const acknowledge = async () => {
    await ask(api.post('/firings/{id}/acknowledge', { params: { path: { id } }, body: {} }));
    firingsChanged();
  };
  return (
    <>
      <div>
        <a class="strong" href={href(`/sensors/${sensor_id}?at=${date}`)}>
          {sensor}
        </a>{' '}
        <strong class="numbers">{valueText(firing, names.records.get(sensor_id))}</strong>
        <div class="small quiet" title={formatDate(date)}>
          <a href={href(`/sensors/${sensor_id}/triggers/${trigger_id}`)}>{name}</a>, {formatAge(date)}
        </div>
        <div class="small quiet breakable two-lines">{ruleText(firing, names.records.get(sensor_id))}</div>
      </div>
      <div class="line">
        <SeverityStatus severity={severity} />
        {acknowledged ? (
          <Status>{t('acknowledged')}</Status>
        ) : (
          <Action
            kind="small-button"
            label={t('Acknowledge {name} on {sensor}', { name, sensor })}
            done={t('Acknowledged. It will not repeat until it is over.')}
            act={acknowledge}
          >
            {t('Acknowledge')}
          </Action>
        )}
      </div>
    </>
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
