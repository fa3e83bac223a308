import { formatAge } from '../format';
import { t } from '../language';
import { joined } from '../quantity';
import type { TileSensor, ViewProps } from './source';
import { colourOf, WORDS } from './tile-states';
import { shownValue } from './tile-values';

/** The plan of an environment, with the values and states of its sensors. */
export function PlanView({ data: { plan, sensors }, now, title, linkTo, picture }: ViewProps) {
  if (!plan) return <span class="quiet">{t('not available')}</span>;
  const { outline, picture: drawn } = plan;
  return (
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
        {/* What is firing lies above the others. */}
        {[...sensors].reverse().map((sensor, at) => (
          <Marker key={sensor.id ?? at} {...{ sensor, now, linkTo }} />
        ))}
      </div>
    </div>
  );
}

function Marker({ sensor, now, linkTo }: Pick<ViewProps, 'now' | 'linkTo'> & { sensor: TileSensor }) {
  const { id, name, state, last, spot } = sensor;
  if (!spot) return null;
  const shown = last && shownValue(sensor, last.value);
  const isOld = state === 'silent' || !last;
  const needsWord = state === 'firing' || state === 'silent' || state === 'pending';
  return (
    <a
      class={`marker ${isOld ? 'is-old' : (colourOf(sensor) ?? '')}`}
      style={{ left: `${spot.x * 100}%`, top: `${spot.y * 100}%` }}
      href={id && linkTo ? linkTo(`/sensors/${id}`) : undefined}
      title={last ? formatAge(last.date, now * 1_000) : undefined}
    >
      <span>{name}</span>
      {shown && <strong>{joined(shown.value, shown.unit)}</strong>}
      {(needsWord || !last) && <small>{t(last ? WORDS[state ?? 'none'] : 'no data')}</small>}
    </a>
  );
}
