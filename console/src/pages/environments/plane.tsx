import { useRef, useState } from 'preact/hooks';
import { type Corner, fromPlane, onPlane, type Plane, scaleLength } from './geometry';

const SIZE = 480;
const STEP = 0.02;

/**
 * A plain plane to scale, north above. A click adds a corner, corners are dragged or moved by the arrow keys, and taken away by
 * Delete.
 */
export function PlaneEditor({
  corners,
  plane,
  onCorners,
}: {
  corners: readonly Corner[];
  plane: Plane;
  onCorners?: (corners: Corner[]) => void;
}) {
  const svg = useRef<SVGSVGElement>(null);
  const [dragged, setDragged] = useState<number>();
  const perMetre = SIZE / (2 * plane.reach);
  const place = (corner: Corner) => {
    const { x, y } = onPlane(corner, plane.centre);
    return { x: SIZE / 2 + x * perMetre, y: SIZE / 2 + y * perMetre };
  };
  const degreesAt = (event: { clientX: number; clientY: number }) => {
    const box = svg.current?.getBoundingClientRect() ?? new DOMRect(0, 0, SIZE, SIZE);
    const pixel = (2 * plane.reach) / box.width;
    return fromPlane(
      { x: (event.clientX - box.left - box.width / 2) * pixel, y: (event.clientY - box.top - box.height / 2) * pixel },
      plane.centre,
    );
  };
  const move = (at: number, to: { latitude: number; longitude: number }) =>
    onCorners?.(corners.map((corner, index) => (index === at ? { ...corner, ...to } : corner)));
  const byKey = (at: number) => (event: KeyboardEvent) => {
    const step = plane.reach * STEP;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const corner = corners[at];
    const way = moves[event.key];
    if (corner && way) {
      const { x, y } = onPlane(corner, plane.centre);
      move(at, fromPlane({ x: x + way[0], y: y + way[1] }, plane.centre));
    } else if (event.key === 'Delete' || event.key === 'Backspace')
      onCorners?.(corners.filter((_, index) => index !== at));
    else return;
    event.preventDefault();
  };
  const scale = scaleLength(plane.reach * 2);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset
    <svg
      ref={svg}
      class="plane"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="group"
      aria-label={`Outline with ${corners.length} corners`}
      onPointerDown={(event) => {
        if (!onCorners || event.target instanceof SVGCircleElement) return;
        onCorners([...corners, { ...degreesAt(event), rest: '' }]);
      }}
      onPointerMove={(event) => dragged !== undefined && move(dragged, degreesAt(event))}
      onPointerUp={() => setDragged(undefined)}
      onPointerLeave={() => setDragged(undefined)}
    >
      <Grid step={scale * perMetre} />
      <polygon
        class="outline"
        points={corners
          .map(place)
          .map(({ x, y }) => `${x},${y}`)
          .join(' ')}
      />
      {onCorners &&
        corners.map((corner, at) => (
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
            onPointerDown={() => setDragged(at)}
            onKeyDown={byKey(at)}
          />
        ))}
      <g>
        <path d={`M16 ${SIZE - 22}v6h${scale * perMetre}v-6`} fill="none" stroke="currentColor" stroke-width="1.5" />
        <text x="16" y={SIZE - 28}>
          {scale >= 1000 ? `${scale / 1000} km` : `${scale} m`}
        </text>
        <text x={SIZE - 24} y="24">
          N
        </text>
      </g>
    </svg>
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
