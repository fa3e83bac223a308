import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { t } from '../../language';
import { formatNumber } from '../../quantity';
import { type Corner, fromPlane, onPlane, type Plane, scaleLength } from './geometry';
import type { MapSource } from './map';
import { Tiles } from './tiles';

export const SIZE = 480;
const STEP = 0.02;
/** What is dragged if it is not a corner. */
const PICTURE = -1;

interface PlaneProps {
  corners: readonly Corner[];
  plane: Plane;
  /** The background; a grid if absent. */
  map: MapSource | undefined;
  onCorners: (corners: Corner[]) => void;
  /** What lies behind the outline. */
  children?: ComponentChildren;
  /** The middle of a picture behind the outline, which can be moved. */
  picture?: { middle: Corner; onMiddle: (to: Corner) => void } | undefined;
}

/**
 * A drawing to scale, north at the top. A click adds a corner; corners are dragged or moved by the arrow keys, and
 * removed by Delete.
 */
export function PlaneEditor({ corners, plane, map, onCorners, children, picture }: PlaneProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [dragged, setDragged] = useState<number>();
  const perMetre = SIZE / (2 * plane.reach);
  const place = (corner: Corner) => {
    const { x, y } = onPlane(corner, plane.centre);
    return { x: SIZE / 2 + x * perMetre, y: SIZE / 2 + y * perMetre };
  };
  const move = (at: number, to: { latitude: number; longitude: number }) =>
    at === PICTURE
      ? picture?.onMiddle({ ...to, rest: '' })
      : onCorners(corners.map((corner, index) => (index === at ? { ...corner, ...to } : corner)));
  const scale = scaleLength(plane.reach * 2);
  return (
    <div class={`plane ${map ? 'has-map' : ''}`}>
      {map && <Tiles source={map} plane={plane} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset */}
      <svg
        ref={svg}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="group"
        aria-label={t('Outline with {n} corners', { n: corners.length })}
        onPointerDown={(event) => {
          if (event.target instanceof SVGElement && event.target.role === 'button') return;
          onCorners([...corners, { ...degreesAt(event, svg.current, plane), rest: '' }]);
        }}
        onPointerMove={(event) => dragged !== undefined && move(dragged, degreesAt(event, svg.current, plane))}
        onPointerUp={() => setDragged(undefined)}
        onPointerLeave={() => setDragged(undefined)}
      >
        {!map && <Grid step={scale * perMetre} />}
        {children}
        <polygon class="outline" points={corners.map((corner) => pair(place(corner))).join(' ')} />
        {picture && <Handle {...picture} plane={plane} at={place(picture.middle)} onDrag={() => setDragged(PICTURE)} />}
        <Corners {...{ corners, plane, onCorners, place }} onDrag={setDragged} />
        <Scale plane={plane} />
      </svg>
    </div>
  );
}

function Corners({
  corners,
  plane,
  onCorners,
  place,
  onDrag,
}: Omit<PlaneProps, 'map' | 'children' | 'picture'> & {
  place: (corner: Corner) => { x: number; y: number };
  onDrag: (at: number) => void;
}) {
  return (
    <g>
      {corners.map((corner, at) => (
        // biome-ignore lint/a11y/useSemanticElements: a circle of a drawing cannot be a button
        <circle
          key={at}
          class="corner"
          cx={place(corner).x}
          cy={place(corner).y}
          r="8"
          role="button"
          tabindex={0}
          aria-label={t('Corner {n}: arrow keys move it, Delete removes it', { n: at + 1 })}
          onPointerDown={() => onDrag(at)}
          onKeyDown={byKey({ corners, plane, onCorners }, at)}
        />
      ))}
    </g>
  );
}

function pair({ x, y }: { x: number; y: number }): string {
  return `${x},${y}`;
}

/** The place under the pointer. */
function degreesAt(event: { clientX: number; clientY: number }, svg: SVGSVGElement | null, plane: Plane) {
  const box = svg?.getBoundingClientRect() ?? new DOMRect(0, 0, SIZE, SIZE);
  const pixel = (2 * plane.reach) / box.width;
  const x = (event.clientX - box.left - box.width / 2) * pixel;
  return fromPlane({ x, y: (event.clientY - box.top - box.height / 2) * pixel }, plane.centre);
}

function byKey({ corners, plane, onCorners }: Omit<PlaneProps, 'map' | 'children' | 'picture'>, at: number) {
  return (event: KeyboardEvent) => {
    const corner = corners[at];
    const to = corner && movedByKey(event.key, corner, plane);
    if (to) {
      onCorners(corners.map((one, index) => (index === at ? { ...one, ...to } : one)));
    } else if (event.key === 'Delete' || event.key === 'Backspace')
      onCorners(corners.filter((_, index) => index !== at));
    else return;
    event.preventDefault();
  };
}

/** A scale of a round length, and the direction of north. */
export function Scale({ plane: { reach } }: { plane: Plane }) {
  const metres = scaleLength(reach * 2);
  const width = (metres * SIZE) / (2 * reach);
  return (
    <g class="scale">
      <path d={`M16 ${SIZE - 22}v6h${width}v-6`} />
      <text x="16" y={SIZE - 28}>
        {metres >= 1000 ? `${formatNumber(metres / 1000)} km` : `${formatNumber(metres)} m`}
      </text>
      <text x={SIZE - 24} y="24">
        N
      </text>
    </g>
  );
}

function Grid({ step }: { step: number }) {
  const lines = Array.from({ length: Math.floor(SIZE / step) + 1 }, (_, at) => at * step);
  return (
    <g>
      {lines.map((at) => (
        <path key={at} class="grid" d={`M${at} 0V${SIZE}M0 ${at}H${SIZE}`} />
      ))}
    </g>
  );
}

const MOVES: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The place to which an arrow key moves a point; undefined for other keys. */
export function movedByKey(key: string, from: Plane['centre'], { centre, reach }: Plane): Plane['centre'] | undefined {
  const way = MOVES[key];
  if (!way) return undefined;
  const { x, y } = onPlane(from, centre);
  const step = reach * STEP;
  return fromPlane({ x: x + way[0] * step, y: y + way[1] * step }, centre);
}

interface HandleProps {
  middle: Corner;
  onMiddle: (to: Corner) => void;
  plane: Plane;
  at: { x: number; y: number };
  onDrag: () => void;
}

/** The middle of the picture, by which it is moved. */
function Handle({ middle, onMiddle, plane, at, onDrag }: HandleProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of a drawing cannot be a button
    <rect
      class="corner"
      x={at.x - 9}
      y={at.y - 9}
      width="18"
      height="18"
      role="button"
      tabindex={0}
      aria-label={t('Picture: arrow keys move it')}
      onPointerDown={onDrag}
      onKeyDown={(event) => {
        const to = movedByKey(event.key, middle, plane);
        if (!to) return;
        onMiddle({ ...to, rest: '' });
        event.preventDefault();
      }}
    />
  );
}
