import { useState } from 'preact/hooks';
import { sentence } from '../../api';
import { many, t } from '../../language';
import { Check } from '../../ui/form';
import { sensorOf, triggerOf } from '../deliveries/summary';
import type { Names } from '../names';
import { AlertActions, type Failure } from './actions';
import { AlertRows } from './alert-rows';
import type { Alert, AlertGroup } from './load';
import { useCurrentValues } from './values';

/** Groups of alerts, with a bar for the actions on the selected ones. */
export function AlertList({ groups, names }: { groups: readonly AlertGroup[]; names: Names }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const open = groups.flatMap(({ alerts }) => alerts.filter(isOpen));
  const selected = open.filter(({ id }) => chosen.has(id));
  const values = useCurrentValues(open.map(({ latest }) => latest.sensor_id));
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
  const shared = { names, values, selected: chosen, onSelected: select, onDone };
  return (
    <div class="stack">
      {failures.length > 0 && <Failures failures={failures} names={names} onClose={() => setFailures([])} />}
      {open.length > 0 && (
        <div class="line spread selection">
          <SelectAll alerts={open} chosen={chosen} onSelected={select}>
            {selected.length === 0
              ? many(open.length, 'Select {n} alert', 'Select all {n} alerts')
              : t('{n} of {total} selected', { n: selected.length, total: open.length })}
          </SelectAll>
          {selected.length > 0 && <AlertActions alerts={selected} onDone={onDone} />}
        </div>
      )}
      {groups.map(({ name, alerts }) =>
        name === '' ? (
          <AlertRows key={name} {...shared} alerts={alerts} />
        ) : (
          <section key={name} class="stack alert-group">
            <div class="line">
              <h2>{name}</h2>
              <SelectAll alerts={alerts.filter(isOpen)} chosen={chosen} onSelected={select}>
                {many(alerts.length, '{n} alert', '{n} alerts')}
              </SelectAll>
            </div>
            <AlertRows {...shared} alerts={alerts} />
          </section>
        ),
      )}
    </div>
  );
}

function isOpen({ latest }: Alert): boolean {
  return latest.ended === null;
}

interface SelectAllProps {
  alerts: readonly Alert[];
  chosen: ReadonlySet<string>;
  onSelected: (ids: readonly string[], on: boolean) => void;
  children: string;
}

/** A tick for all of these alerts; only its text if there is none to select. */
function SelectAll({ alerts, chosen, onSelected, children }: SelectAllProps) {
  if (alerts.length === 0) return <span class="quiet">{children}</span>;
  return (
    <Check
      label={children}
      checked={alerts.every(({ id }) => chosen.has(id))}
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
