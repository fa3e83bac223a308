import { useRef, useState } from 'preact/hooks';
import { type Corner, fromPlane, onPlane, type Plane, scaleLength } from './geometry';
import type { MapSource } from './map';
import { Tiles } from './tiles';

const SIZE = 480;
const STEP = 0.02;

interface PlaneProps {
  corners: readonly Corner[];
  plane: Plane;
  /** The background; a grid if absent. */
  map: MapSource | undefined;
  onCorners: (corners: Corner[]) => void;
}

/**
 * A drawing to scale, north at the top. A click adds a corner; corners are dragged or moved by the arrow keys, and
 * removed by Delete.
 */
export function PlaneEditor({ corners, plane, map, onCorners }: PlaneProps) {
  const svg = useRef<SVGSVGElement>(null);
  const [dragged, setDragged] = useState<number>();
  const perMetre = SIZE / (2 * plane.reach);
  const place = (corner: Corner) => {
    const { x, y } = onPlane(corner, plane.centre);
    return { x: SIZE / 2 + x * perMetre, y: SIZE / 2 + y * perMetre };
  };
  const move = (at: number, to: { latitude: number; longitude: number }) =>
    onCorners(corners.map((corner, index) => (index === at ? { ...corner, ...to } : corner)));
  const scale = scaleLength(plane.reach * 2);
  return (
    <div class={`plane ${map ? 'has-map' : ''}`}>
      {map && <Tiles source={map} plane={plane} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset */}
      <svg
        ref={svg}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="group"
        aria-label={`Outline with ${corners.length} corners`}
        onPointerDown={(event) => {
          if (event.target instanceof SVGCircleElement) return;
          onCorners([...corners, { ...degreesAt(event, svg.current, plane), rest: '' }]);
        }}
        onPointerMove={(event) => dragged !== undefined && move(dragged, degreesAt(event, svg.current, plane))}
        onPointerUp={() => setDragged(undefined)}
        onPointerLeave={() => setDragged(undefined)}
      >
        {!map && <Grid step={scale * perMetre} />}
        <polygon class="outline" points={corners.map((corner) => pair(place(corner))).join(' ')} />
        <Corners {...{ corners, plane, onCorners, place }} onDrag={setDragged} />
        <Scale metres={scale} width={scale * perMetre} />
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
}: Omit<PlaneProps, 'map'> & { place: (corner: Corner) => { x: number; y: number }; onDrag: (at: number) => void }) {
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
          tabIndex={0}
          aria-label={`Corner ${at + 1}: arrows move it, Delete takes it away`}
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

function byKey({ corners, plane, onCorners }: Omit<PlaneProps, 'map'>, at: number) {
  const step = plane.reach * STEP;
  const moves: Record<string, [number, number]> = {
    ArrowLeft: [-step, 0],
    ArrowRight: [step, 0],
    ArrowUp: [0, -step],
    ArrowDown: [0, step],
  };
  return (event: KeyboardEvent) => {
    const corner = corners[at];
    const way = moves[event.key];
    if (corner && way) {
      const { x, y } = onPlane(corner, plane.centre);
      const to = fromPlane({ x: x + way[0], y: y + way[1] }, plane.centre);
      onCorners(corners.map((one, index) => (index === at ? { ...one, ...to } : one)));
    } else if (event.key === 'Delete' || event.key === 'Backspace')
      onCorners(corners.filter((_, index) => index !== at));
    else return;
    event.preventDefault();
  };
}

function Scale({ metres, width }: { metres: number; width: number }) {
  return (
    <g class="scale">
      <path d={`M16 ${SIZE - 22}v6h${width}v-6`} />
      <text x="16" y={SIZE - 28}>
        {metres >= 1000 ? `${metres / 1000} km` : `${metres} m`}
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
