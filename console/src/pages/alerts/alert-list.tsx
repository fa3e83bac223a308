import { useState } from 'preact/hooks';
import { sentence } from '../../api';
import { formatValue } from '../../format';
import { many, t } from '../../language';
import { href } from '../../router';
import { useUser } from '../../session';
import { Check } from '../../ui/form';
import { Status } from '../../ui/page';
import { State } from '../../ui/state';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import { ruleText } from '../sensor/rule-text';
import { Unheard } from '../unheard';
import { type Failure, ManyActions } from './actions';
import { AlertRows, type AlertRowsProps, isOpen } from './alert-rows';
import type { AlertGroup, Grouping } from './groups';
import { useHandled } from './handled';
import type { Alert } from './load';
import { useCurrentValues } from './values';
import { beyondLimit } from './worst';

interface AlertListProps {
  groups: readonly AlertGroup[];
  by: Grouping;
  names: Names;
}

/** Groups of alerts, with a bar for the actions on the selected ones. */
export function AlertList({ groups, by, names }: AlertListProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const open = groups
    .flatMap(({ alerts }) => alerts)
    .flatMap((alert) => [alert, ...alert.behind])
    .filter(isOpen);
  const values = useCurrentValues(open.map(({ latest }) => latest.sensor_id).filter((id) => names.records.has(id)));
  const isHandled = useHandled(open.map(({ latest }) => latest));
  const handled = open.filter(({ latest }) => isHandled(latest));
  const select = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    setChosen(next);
  };
  const onDone = (failed: readonly Failure[]) => {
    setFailures(failed);
    setChosen(new Set());
  };
  const shared = { by, names, values, selected: chosen, onSelected: select, onDone, isHandled };
  return (
    <div class="stack">
      {failures.length > 0 && <Failures failures={failures} names={names} onClose={() => setFailures([])} />}
      {handled.length > 0 && <Selection open={handled} {...{ chosen, select, onDone }} />}
      {by !== 'trigger' && (
        <Unheard
          ids={unheardAmong(
            groups.flatMap(({ alerts }) => alerts),
            names,
          )}
          names={names}
        />
      )}
      {groups.map((group, at) =>
        by === 'none' ? (
          <AlertRows key="" {...shared} alerts={group.alerts} />
        ) : (
          <Group key={group.name} {...shared} group={group} isFirst={at === 0} />
        ),
      )}
    </div>
  );
}

interface SelectionProps {
  open: readonly Alert[];
  chosen: ReadonlySet<string>;
  select: (ids: readonly string[], on: boolean) => void;
  onDone: (failures: Failure[]) => void;
}

/** How many alerts are open, which are selected, and what to do with them. */
function Selection({ open, chosen, select, onDone }: SelectionProps) {
  const selected = open.filter(({ id }) => chosen.has(id));
  const unknown = open.filter(({ latest }) => !latest.acknowledged).length;
  return (
    <div class="line spread selection">
      <SelectAll alerts={open} chosen={chosen} onSelected={select}>
        {selected.length === 0
          ? many(open.length, 'Select {n} alert', 'Select all {n} alerts')
          : t('{n} of {total} selected', { n: selected.length, total: open.length })}
      </SelectAll>
      {selected.length > 0 ? (
        <ManyActions alerts={selected} onDone={onDone} />
      ) : (
        unknown > 0 &&
        unknown < open.length && <span class="small quiet">{t('{n} not acknowledged', { n: unknown })}</span>
      )}
    </div>
  );
}

/** Groups with more alerts are folded, but for the first. */
const FEW = 20;

/** A group of alerts under its heading, which folds it. */
function Group({ group: { name, alerts }, isFirst, ...shared }: GroupProps) {
  const me = useUser().id;
  const [isUnfolded, setUnfolded] = useState(isFirst || alerts.length <= FEW);
  return (
    <details class="alert-group" open={isUnfolded} onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
      <summary class="line">
        <h2>{name}</h2>
        <Worst alerts={alerts} {...shared} />
      </summary>
      {isUnfolded && (
        <>
          <div class="line spread">
            <SelectAll
              alerts={alerts.filter((one) => isOpen(one) && shared.isHandled(one.latest))}
              chosen={shared.selected}
              onSelected={shared.onSelected}
            >
              {many(alerts.length, '{n} alert', '{n} alerts')}
            </SelectAll>
            {shared.by === 'trigger' && alerts[0]?.latest.owner_id === me && (
              <a class="small" href={href(`/triggers/${alerts[0]?.latest.trigger_id}`)}>
                {t('Edit the trigger')}
              </a>
            )}
          </div>
          <AlertRows {...shared} alerts={alerts} />
        </>
      )}
    </details>
  );
}

type GroupProps = Omit<AlertRowsProps, 'alerts'> & { group: AlertGroup; isFirst: boolean };

/** How severe a group is, and how many alerts and sensors it has; of one trigger also its rule and the worst value. */
function Worst({ alerts, by, names }: Pick<AlertRowsProps, 'alerts' | 'by' | 'names'>) {
  const [first] = alerts;
  if (!first) return null;
  const { severity } = first.latest;
  const open = alerts.filter((alert) => isOpen(alert) && !alert.latest.acknowledged).length;
  const sensors = new Set(alerts.map(({ latest }) => latest.sensor_id)).size;
  const worst = by === 'trigger' ? beyondLimit(alerts.map(({ latest }) => latest))[0] : undefined;
  const facts = [
    many(alerts.length, '{n} alert', '{n} alerts'),
    sensors !== alerts.length && many(sensors, 'on {n} sensor', 'on {n} sensors'),
    open > 0 && open < alerts.length && t('{n} not acknowledged', { n: open }),
    by === 'trigger' && ruleText({ ...first.latest, variables: {} }, names.records.get(first.latest.sensor_id)),
    worst &&
      alerts.length > 1 &&
      t('worst {value} on {sensor}', {
        value: formatValue(String(worst.value), names.records.get(worst.firing.sensor_id)),
        sensor: sensorOf(worst.firing.sensor_id, names),
      }),
  ];
  return (
    <>
      {by !== 'severity' && <State of={severity} />}
      <span class="small quiet breakable">{facts.filter(Boolean).join(' · ')}</span>
      {by === 'trigger' && unheardAmong(alerts, names).length > 0 && (
        <Status kind="warn">{t('notifies nobody')}</Status>
      )}
    </>
  );
}

/** Ids of the alerts' triggers, if they have no notification. */
function unheardAmong(alerts: readonly Alert[], { unheard }: Names): readonly string[] {
  return unheard.filter((id) => alerts.some(({ latest }) => latest.trigger_id === id));
}

interface SelectAllProps {
  alerts: readonly Alert[];
  chosen: ReadonlySet<string>;
  onSelected: (ids: readonly string[], on: boolean) => void;
  children: string;
}

/** A tick for all of these alerts; nothing if there is none to select. */
function SelectAll({ alerts, chosen, onSelected, children }: SelectAllProps) {
  if (alerts.length === 0) return null;
  return (
    <Check
      label={children}
      checked={alerts.every(({ id }) => chosen.has(id))}
      isMixed={alerts.some(({ id }) => chosen.has(id)) && !alerts.every(({ id }) => chosen.has(id))}
      onChecked={(on) =>
        onSelected(
          alerts.map(({ id }) => id),
          on,
        )
      }
    />
  );
}

function Failures({ failures, names, onClose }: { failures: readonly Failure[]; names: Names; onClose: () => void }) {
  return (
    <div class="message error stack tight" role="alert">
      <div class="line spread">
        <strong>{many(failures.length, 'It failed for {n} alert:', 'It failed for {n} alerts:')}</strong>
        <button type="button" class="button small-button" onClick={onClose}>
          {t('Close')}
        </button>
      </div>
      <ul>
        {failures.map(({ alert, error }) => (
          <li key={alert?.id}>
            {alert &&
              t('{trigger} on {sensor}', {
                trigger: triggerOf(alert.latest.trigger_id, names),
                sensor: sensorOf(alert.latest.sensor_id, names),
              })}
            : {sentence(error)}
          </li>
        ))}
      </ul>
    </div>
  );
}
