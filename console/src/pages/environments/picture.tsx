import { type Records, ROOT } from '../../api';
import { onPlane, type Plane, readOutline } from './geometry';
import { SIZE } from './plane';

export type FloorPlan = Records['FloorPlanView'];

/** The floor plan of an environment in a drawing of this plane. */
export function Picture({ id, plan, plane }: { id: string; plan: FloorPlan; plane: Plane }) {
  const [centre] = readOutline(plan.position);
  if (!centre) return null;
  const perMetre = SIZE / (2 * plane.reach);
  const middle = onPlane(centre, plane.centre);
  const [x, y] = [SIZE / 2 + middle.x * perMetre, SIZE / 2 + middle.y * perMetre];
  const width = plan.width * perMetre;
  const height = (width * plan.pixel_height) / plan.pixel_width;
  return (
    <image
      class="floor-plan"
      href={`${ROOT}environments/${id}/floor_plan/image?version=${plan.date}`}
      x={x - width / 2}
      y={y - height / 2}
      width={width}
      height={height}
      preserveAspectRatio="none"
      transform={`rotate(${plan.rotation} ${x} ${y})`}
    />
  );
}
