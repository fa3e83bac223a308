import { useState } from 'preact/hooks';
import { formatList, personName, sensorName } from '../format';
import { many, t } from '../language';
import { fullName } from '../pages/sensors/differences';
import { useInactive } from '../pages/sensors/inactive';
import type { Sensor } from '../pages/sensors/load';
import { useFound } from '../pages/sensors/use-found';
import { Check } from './form';
import { Loaded } from './page';
import { SensorSearch } from './sensor-search';

/** Number of sensors that are listed at once. */
const MOST = 1000;
/** Number of sensors above which the search is shown, and those that are chosen already are folded. */
const FEW = 8;
const NAMED = 3;

interface PickProps {
  label: string;
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
  except?: readonly string[];
  /** Only the user's own. */
  mine?: boolean;
  nameOf?: (sensor: Sensor) => string;
  /** As many as can be chosen. */
  most?: number;
}

/** A list of sensors to tick, with the search if it is long. If many are chosen already, it opens on request. */
export function PickSensors({
  label,
  chosen,
  onChosen,
  except = [],
  mine = false,
  nameOf = sensorName,
  most = Number.POSITIVE_INFINITY,
}: PickProps) {
  const [text, setText] = useState('');
  const [isFolded, setFolded] = useState(chosen.length > FEW);
  const found = useFound(text);
  const quiet = useInactive();
  return (
    <fieldset class="field">
      <legend class="label">{label}</legend>
      <Loaded resource={found}>
        {({ all, sensors }) => {
          if (isFolded) return <Folded {...{ all, chosen, nameOf }} open={() => setFolded(false)} />;
          const isPossible = ({ id, owner }: Sensor) => !except.includes(id) && !(mine && owner);
          const possible = all.filter(isPossible).length;
          const matching = sensors.filter(isPossible);
          return (
            <>
              {possible > FEW && <SensorSearch value={text} onValue={setText} found={found} />}
              <Ticks shown={matching.slice(0, MOST)} {...{ chosen, onChosen, nameOf, most }} quiet={quiet} />
              {possible > FEW && <Counted {...{ matching, possible, chosen, onChosen, most }} />}
            </>
          );
        }}
      </Loaded>
    </fieldset>
  );
}

/** The number of chosen sensors, and the first of them. */
function Folded({
  all,
  chosen,
  nameOf,
  open,
}: {
  all: readonly Sensor[];
  chosen: readonly string[];
  nameOf: (sensor: Sensor) => string;
  open: () => void;
}) {
  const names = all
    .filter(({ id }) => chosen.includes(id))
    .map((sensor) => fullName({ ...sensor, name: nameOf(sensor), display_name: '' }));
  const n = chosen.length;
  const list = formatList([...names.slice(0, NAMED), t('{n} more', { n: n - NAMED })]);
  return (
    <p class="line breakable">
      {t('{n} sensors: {list}.', { n, list })}
      <button type="button" class="link" onClick={open}>
        {t('Show all')}
      </button>
    </p>
  );
}

/** How many are found and chosen; all that are found can be chosen at once. */
function Counted({
  matching,
  possible,
  chosen,
  onChosen,
  most,
}: Pick<PickProps, 'chosen' | 'onChosen'> & { matching: readonly Sensor[]; possible: number; most: number }) {
  const { length } = matching;
  const others = matching.map(({ id }) => id).filter((id) => !chosen.includes(id));
  return (
    <div class="line small">
      <span class="hint" role="status">
        {[
          length < possible && many(possible, '{found} of {n} sensor', '{found} of {n} sensors', { found: length }),
          length > MOST && t('the first {n} are listed', { n: MOST }),
          chosen.length > 0 && t('{n} chosen', { n: chosen.length }),
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
      {others.length > 0 && length < possible && chosen.length + others.length <= most && (
        <button type="button" class="link" onClick={() => onChosen([...chosen, ...others])}>
          {many(length, 'Choose {n} sensor', 'Choose all {n} sensors')}
        </button>
      )}
      {chosen.length > 0 && (
        <button type="button" class="link" onClick={() => onChosen([])}>
          {t('Choose none')}
        </button>
      )}
    </div>
  );
}

function Ticks({
  shown,
  chosen,
  onChosen,
  nameOf,
  quiet,
  most,
}: {
  shown: readonly Sensor[];
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
  nameOf: (sensor: Sensor) => string;
  quiet: ReadonlySet<string> | undefined;
  most: number;
}) {
  const hintOf = ({ id, owner, apart }: Sensor) =>
    [apart, owner && t('by {name}', { name: personName(owner) }), quiet?.has(id) && t('no data')]
      .filter(Boolean)
      .join(', ');
  return (
    <div class="pick">
      {shown.length === 0 && <p class="quiet">{t('No sensors.')}</p>}
      {shown.map((sensor) => (
        <Check
          key={sensor.id}
          label={nameOf(sensor)}
          hint={hintOf(sensor)}
          checked={chosen.includes(sensor.id)}
          isDisabled={chosen.length >= most && !chosen.includes(sensor.id)}
          onChecked={(on) => onChosen(on ? [...chosen, sensor.id] : chosen.filter((id) => id !== sensor.id))}
        />
      ))}
    </div>
  );
}
