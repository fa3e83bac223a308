import { useMemo, useRef, useState } from 'preact/hooks';
import { messageOf } from '../../api';
import { formatAge, formatValue } from '../../format';
import { type PlainText, t } from '../../language';
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
import { type Inside, moveSensors, type Place, type SensorState, useStates } from './load';
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
        <Markers {...{ placed, positions, plane, isMoving, move }} />
      </div>
    </div>
  );
}

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

interface MarkersProps {
  placed: readonly Sensor[];
  positions: ReadonlyMap<string, string>;
  plane: Plane;
  isMoving: boolean;
  move: (id: string, position: string | null) => Promise<void>;
}

function Markers({ placed, ...props }: MarkersProps) {
  const points = useCurrentValues(placed.map(({ id }) => id));
  const states = useStates();
  return (
    <>
      {placed.map((sensor) => (
        <Marker
          key={sensor.id}
          {...props}
          sensor={sensor}
          point={points.get(sensor.id)}
          state={states.get(sensor.id)}
        />
      ))}
    </>
  );
}

const STATE_NAMES: Record<SensorState, PlainText> = {
  firing: 'firing|state',
  silent: 'no data',
  pending: 'pending',
  ok: 'ok',
};
const KINDS: Record<SensorState, string> = { firing: 'bad', silent: 'is-old', pending: 'warn', ok: 'good' };

interface MarkerProps extends Omit<MarkersProps, 'placed'> {
  sensor: Sensor;
  point: { value: string; date: number } | undefined;
  state: SensorState | undefined;
}

/** A sensor on the plan: a link to its page, or a thing to move. */
function Marker({ sensor, point, state, positions, plane, isMoving, move }: MarkerProps) {
  const nameOf = useSensorNames();
  const [dragged, setDragged] = useState<Plane['centre']>();
  const at = dragged ?? readOutline(positions.get(sensor.id) ?? '')[0] ?? plane.centre;
  const { x, y } = onPlane(at, plane.centre);
  const isOld = !point || state === 'silent';
  const value = point ? formatValue(point.value, sensor) : t('no data');
  const said = [value, point && isOld && formatAge(point.date), point && state && t(STATE_NAMES[state])];
  const shared = {
    class: `marker ${isOld ? 'is-old' : state ? KINDS[state] : ''}`,
    style: { left: percent(x, plane), top: percent(y, plane) },
    title: said.filter(Boolean).join(', '),
  };
  const content = (
    <>
      <span>{nameOf(sensor)}</span>
      <strong>{point ? shortOf(value) : t('no data')}</strong>
      <span class="only-read">{said.slice(1).filter(Boolean).join(', ')}</span>
    </>
  );
  const drag = useDrag(plane, {
    onMove: setDragged,
    onEnd: (to) => move(sensor.id, textOf(to)).then(() => setDragged(undefined)),
  });
  if (!isMoving) {
    return (
      <a {...shared} href={href(`/sensors/${sensor.id}`)}>
        {content}
      </a>
    );
  }
  return (
    <button {...shared} {...drag(at)} type="button" onKeyDown={byKey(at, plane, (to) => move(sensor.id, to))}>
      {content}
    </button>
  );
}

/** A value of JSON may have many fields; all of them are in the title. */
function shortOf(value: string): string {
  return value.length > 18 ? `${value.slice(0, 17)}…` : value;
}

function percent(metres: number, { reach }: Plane): string {
  return `${50 + (50 * metres) / reach}%`;
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
