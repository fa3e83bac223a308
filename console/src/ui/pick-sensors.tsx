import { useState } from 'preact/hooks';
import { formatCount, personName, sensorName } from '../format';
import { loadSensors, type Sensor } from '../pages/sensors/load';
import { useResource } from '../use-resource';
import { Check, textOf } from './form';
import { Loaded } from './page';

const MOST = 200;
/** Number of sensors above which the filter is shown. */
const FEW = 8;

interface PickProps {
  label: string;
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
  except?: readonly string[];
  /** Only the user's own. */
  mine?: boolean;
  nameOf?: (sensor: Sensor) => string;
}

/** A list of sensors to tick, with a filter if it is long. */
export function PickSensors({ label, chosen, onChosen, except = [], mine = false, nameOf = sensorName }: PickProps) {
  const [text, setText] = useState('');
  const sensors = useResource('sensors to pick', () => loadSensors());
  const wanted = text.toLowerCase();
  return (
    <fieldset class="field">
      <legend class="label">{label}</legend>
      <Loaded resource={sensors}>
        {(all) => {
          const possible = all.filter(({ id, owner }) => !except.includes(id) && !(mine && owner));
          const found = possible.filter((one) => nameOf(one).toLowerCase().includes(wanted));
          const shown = found.slice(0, MOST);
          const count = [
            shown.length < possible.length && `${formatCount(shown.length)} of ${formatCount(possible.length)} shown`,
            possible.length > FEW && chosen.length > 0 && `${formatCount(chosen.length)} chosen`,
          ];
          return (
            <>
              {possible.length > FEW && (
                <input
                  class="input"
                  type="search"
                  aria-label="Narrow the list"
                  placeholder="Narrow the list"
                  value={text}
                  onInput={(event) => setText(textOf(event))}
                />
              )}
              <Ticks {...{ shown, chosen, onChosen, nameOf }} />
              <span class="hint" role="status">
                {count.filter(Boolean).join(', ')}
                {shown.length < found.length && '. Narrow the list to see the others.'}
              </span>
            </>
          );
        }}
      </Loaded>
    </fieldset>
  );
}

function Ticks({
  shown,
  chosen,
  onChosen,
  nameOf,
}: {
  shown: readonly Sensor[];
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
  nameOf: (sensor: Sensor) => string;
}) {
  return (
    <div class="pick">
      {shown.length === 0 && <p class="quiet">No sensors.</p>}
      {shown.map((sensor) => (
        <Check
          key={sensor.id}
          label={nameOf(sensor)}
          hint={sensor.owner && `by ${personName(sensor.owner)}`}
          checked={chosen.includes(sensor.id)}
          onChecked={(on) => onChosen(on ? [...chosen, sensor.id] : chosen.filter((id) => id !== sensor.id))}
        />
      ))}
    </div>
  );
}
