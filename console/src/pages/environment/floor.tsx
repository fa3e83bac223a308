import { useMemo, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../api';
import type { Box } from '../../dashboards/arrange';
import { type Labelled, PlanLabels, PlanLegend } from '../../dashboards/plan-labels';
import { planParts } from '../../dashboards/plan-values';
import { formatAge } from '../../format';
import { t } from '../../language';
import { joined } from '../../quantity';
import { href } from '../../router';
import { say } from '../../ui/toast';
import { useCurrentValues } from '../alerts/values';
import {
  cornersOf,
  freePoints,
  fromPlane,
  onPlane,
  type Plane,
  planeAround,
  readOutline,
} from '../environments/geometry';
import { mapSource } from '../environments/map';
import { Picture } from '../environments/picture';
import { movedByKey, Scale, SIZE } from '../environments/plane';
import { Tiles } from '../environments/tiles';
import { useSensorNames } from '../names';
import type { Sensor } from '../sensors/load';
import { type Inside, moveSensors, type Place, useStates } from './load';
import { Placing } from './placing';

interface FloorProps extends Place {
  inside: Inside;
  reload: () => void;
}

/** The floor plan and the outline with the present values of the sensors, which can be moved on it. */
export function Floor({ environment, plan, inside, reload }: FloorProps) {
  const { sensors, positions } = inside;
  const [isMoving, setMoving] = useState(false);
  const plane = useMemo(() => planeOf({ environment, plan }, positions), [environment, plan, positions]);
  const corners = readOutline(environment.gps_outline);
  const map = useMemo(mapSource, []);
  const placed = sensors.filter(({ id }) => positions.has(id));
  const items = useItems(placed, positions, plane);
  const others = sensors.filter(({ id }) => !positions.has(id));
  const moveAll = async (moves: Parameters<typeof moveSensors>[1]) => {
    await moveSensors(environment.id, moves).catch((error) => say(messageOf(error)));
    reload();
  };
  const move = (id: string, position: string | null) => moveAll([{ sensor_id: id, position }]);
  const put = (some: readonly Sensor[]) => {
    const area = corners.length > 2 || !plan ? corners : cornersOf(plan);
    const free = freePoints(plane, area, [...positions.values()].flatMap(readOutline), some.length).map(textOf);
    return moveAll(some.map(({ id }, at) => ({ sensor_id: id, position: free[at] ?? null })));
  };
  return (
    <div class="stack">
      {sensors.length > 0 && <Placing {...{ others, isMoving, setMoving, put }} />}
      <div class={`plane ${map ? 'has-map' : ''}`}>
        {map && <Tiles source={map} plane={plane} />}
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={t('Plan of {name}', { name: environment.name })}>
          {plan && <Picture id={environment.id} plan={plan} plane={plane} />}
          <polygon class={`outline ${plan ? 'is-clear' : ''}`} points={pointsOf(corners, plane)} />
          <Scale plane={plane} />
        </svg>
        {isMoving ? (
          items.map((item) => (
            <Handle key={item.key} {...{ item, plane, move }} position={positions.get(item.key) ?? ''} />
          ))
        ) : (
          <PlanLabels items={items} taken={SIGNS} />
        )}
      </div>
      <PlanLegend items={items} />
    </div>
  );
}

/** The scale, the north arrow and the attribution of the map, in parts of the plane. */
const SIGNS: readonly Box[] = [
  { left: 0, top: 0.92, width: 0.3, height: 0.08 },
  { left: 0.94, top: 0, width: 0.06, height: 0.06 },
  { left: 0.5, top: 0.95, width: 0.5, height: 0.05 },
];

/** Shows the outline, the picture and all positions. */
function planeOf({ environment, plan }: Place, positions: ReadonlyMap<string, string>): Plane {
  const shown = [
    ...readOutline(environment.gps_outline),
    ...(plan ? cornersOf(plan) : []),
    ...[...positions.values()].flatMap(readOutline),
  ];
  return planeAround(shown, readOutline(environment.position)[0] ?? { latitude: 0, longitude: 0 }, {
    least: 2,
    room: 1.15,
  });
}

function pointsOf(corners: ReturnType<typeof readOutline>, { centre, reach }: Plane): string {
  return corners
    .map((corner) => onPlane(corner, centre))
    .map(({ x, y }) => `${SIZE / 2 + (x * SIZE) / (2 * reach)},${SIZE / 2 + (y * SIZE) / (2 * reach)}`)
    .join(' ');
}

function textOf({ latitude, longitude }: Plane['centre']): string {
  return `${latitude.toFixed(7)} ${longitude.toFixed(7)}`;
}

/** The sensors on the plan with their present values and states. */
function useItems(placed: readonly Sensor[], positions: Inside['positions'], plane: Plane) {
  const nameOf = useSensorNames();
  const points = useCurrentValues(placed.map(({ id }) => id));
  const states = useStates();
  const parts = planParts(placed.map((sensor) => [points.get(sensor.id)?.value ?? '', sensor]));
  return placed.map((sensor): Labelled => {
    const { id } = sensor;
    const [point, known] = [points.get(id), states.get(id)];
    return {
      ...{ key: id, name: nameOf(sensor), path: href(`/sensors/${id}`) },
      ...partsOf(readOutline(positions.get(id) ?? '')[0] ?? plane.centre, plane),
      ...(point ? parts(point.value, sensor) : { value: t('no data'), unit: '' }),
      state: point ? known : (known ?? 'inactive'),
      age: point && known === 'inactive' ? formatAge(point.date) : undefined,
    };
  });
}

interface HandleProps {
  item: Labelled;
  position: string;
  plane: Plane;
  move: (id: string, position: string | null) => Promise<void>;
}

/** A sensor to move, exactly at its place. */
function Handle({ item: { key, name, value, unit, state, ...item }, position, plane, move }: HandleProps) {
  const [dragged, setDragged] = useState<Plane['centre']>();
  const at = dragged ?? readOutline(position)[0] ?? plane.centre;
  const { x, y } = dragged ? partsOf(dragged, plane) : item;
  const drag = useDrag(plane, {
    onMove: setDragged,
    onEnd: (to) => move(key, textOf(to)).then(() => setDragged(undefined)),
  });
  return (
    <button
      {...drag(at)}
      type="button"
      class={`marker is-${state ?? 'none'}`}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      onKeyDown={byKey(at, plane, (to) => move(key, to))}
    >
      <span>{name}</span>
      <strong>{joined(value, unit)}</strong>
    </button>
  );
}

/** A place in parts of the plane. */
function partsOf(place: Plane['centre'], { centre, reach }: Plane): { x: number; y: number } {
  const { x, y } = onPlane(place, centre);
  return { x: 0.5 + x / (2 * reach), y: 0.5 + y / (2 * reach) };
}

/** Handlers of the pointer that move a marker inside of its plane. */
function useDrag(
  plane: Plane,
  { onMove, onEnd }: { onMove: (to: Plane['centre']) => void; onEnd: (to: Plane['centre']) => void },
) {
  const start = useRef<{ x: number; y: number; to?: Plane['centre'] } | undefined>(undefined);
  return (at: Plane['centre']) => ({
    onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      const { x, y } = onPlane(at, plane.centre);
      const pixel = pixelOf(event.currentTarget, plane);
      start.current = { x: x - event.clientX * pixel, y: y - event.clientY * pixel };
    },
    onPointerMove: (event: PointerEvent & { currentTarget: HTMLElement }) => {
      const from = start.current;
      if (!from) return;
      const pixel = pixelOf(event.currentTarget, plane);
      const within = (metres: number) => Math.max(-plane.reach, Math.min(plane.reach, metres));
      const [x, y] = [within(from.x + event.clientX * pixel), within(from.y + event.clientY * pixel)];
      from.to = fromPlane({ x, y }, plane.centre);
      onMove(from.to);
    },
    onPointerUp: () => {
      const to = start.current?.to;
      start.current = undefined;
      if (to) onEnd(to);
    },
  });
}

/** Metres of a pixel. */
function pixelOf(marker: HTMLElement, { reach }: Plane): number {
  return (2 * reach) / (marker.parentElement?.clientWidth ?? 1);
}

function byKey(at: Plane['centre'], plane: Plane, move: (to: string | null) => void) {
  return (event: KeyboardEvent) => {
    const to = movedByKey(event.key, at, plane);
    if (to) move(textOf(to));
    else if (event.key === 'Delete' || event.key === 'Backspace') move(null);
    else return;
    event.preventDefault();
  };
}
