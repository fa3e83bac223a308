import { formatAge } from '../format';
import { t } from '../language';
import type { StateName } from '../ui/states';
import { type Labelled, PlanLabels, PlanLegend } from './plan-labels';
import { planParts } from './plan-values';
import type { TileSensor, ViewProps } from './source';
import { stateOf } from './tile-states';
import { onlyValue } from './tile-values';

/** The plan of an environment, with the values and states of its sensors. */
export function PlanView({ data: { plan, sensors }, now, title, linkTo, picture }: ViewProps) {
  if (!plan) return <span class="quiet">{t('not available')}</span>;
  const { outline, picture: drawn } = plan;
  const parts = planParts(sensors.flatMap((sensor) => (sensor.last ? [onlyValue(sensor, sensor.last.value)] : [])));
  const items = sensors.flatMap((sensor, at): Labelled[] => {
    const { id, name, last, spot } = sensor;
    if (!spot) return [];
    return [
      {
        ...{ key: `${id ?? at}`, name, ...spot },
        ...(last ? parts(...onlyValue(sensor, last.value)) : { value: t('no data'), unit: '' }),
        state: signOf(sensor),
        age: last ? formatAge(last.date, now * 1_000) : undefined,
        path: id ? linkTo?.(`/sensors/${id}`) : undefined,
      },
    ];
  });
  return (
    <>
      <div class="tile-square">
        <div class="plane">
          <svg viewBox="0 0 1 1" role="img" aria-label={title || t('Plan')}>
            {drawn && (
              <image
                class="floor-plan"
                href={`${picture}&version=${drawn.date}`}
                x={drawn.x - drawn.width / 2}
                y={drawn.y - drawn.height / 2}
                width={drawn.width}
                height={drawn.height}
                preserveAspectRatio="none"
                transform={`rotate(${drawn.rotation} ${drawn.x} ${drawn.y})`}
              />
            )}
            <polygon
              class={`outline ${drawn ? 'is-clear' : ''}`}
              points={outline.map(({ x, y }) => `${x},${y}`).join(' ')}
            />
          </svg>
          <PlanLabels items={items} />
        </div>
      </div>
      <PlanLegend items={items} />
    </>
  );
}

/** A sensor with data and without a rule has no sign. */
function signOf(sensor: TileSensor): StateName | undefined {
  if (!sensor.last && sensor.state !== 'firing') return 'inactive';
  return sensor.state === 'none' ? undefined : stateOf(sensor);
}
