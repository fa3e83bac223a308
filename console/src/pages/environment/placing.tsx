import { t } from '../../language';
import { Action } from '../../ui/action';
import { Choices } from '../../ui/form';
import { useSensorNames } from '../names';
import type { Sensor } from '../sensors/load';

/** Number of sensors above which their buttons are folded. */
const FEW = 6;
/** Number of sensors that the platform moves at once. */
const MOST = 500;

interface PlacingProps {
  /** The sensors that are not on the plan. */
  others: readonly Sensor[];
  isMoving: boolean;
  setMoving: (isMoving: boolean) => void;
  put: (sensors: readonly Sensor[]) => Promise<void>;
}

/** Puts sensors on the plan, all at once or one by one, and chooses whether they are shown or moved. */
export function Placing({ others, isMoving, setMoving, put }: PlacingProps) {
  const { length } = others;
  const putAll = async () => {
    await put(others.slice(0, MOST));
    setMoving(true);
  };
  return (
    <div class="stack tight">
      <div class="line">
        <Choices
          label={t('Sensors on the plan')}
          value={isMoving ? 'move' : 'show'}
          options={[
            ['show', t('Show values')],
            ['move', t('Move sensors')],
          ]}
          onValue={(value) => setMoving(value === 'move')}
        />
        {length > 1 && (
          <Action kind="primary small-button" act={putAll}>
            {t('Put all {n} sensors on the plan', { n: length })}
          </Action>
        )}
      </div>
      {isMoving && <span class="hint">{t('Drag a sensor, or move it with the arrow keys. Delete takes it off.')}</span>}
      {length > 0 && <Others {...{ others, put }} />}
    </div>
  );
}

function Others({ others, put }: Pick<PlacingProps, 'others' | 'put'>) {
  const nameOf = useSensorNames();
  return (
    <details open={others.length <= FEW}>
      <summary class="quiet small">{t('Not on the plan yet: {n}', { n: others.length })}</summary>
      <div class="line">
        {others.map((sensor) => (
          <button
            key={sensor.id}
            type="button"
            class="button small-button"
            aria-label={t('Put {name} on the plan', { name: nameOf(sensor) })}
            onClick={() => void put([sensor])}
          >
            + {nameOf(sensor)}
          </button>
        ))}
      </div>
    </details>
  );
}
