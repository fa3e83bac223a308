import { toUnixSeconds } from '../../edge/dates';
import type { TilePlan } from './tile-plan';

/** A place on a square plan with north above, as parts of its side. */
export interface TileSpotView {
  /**
   * From the left.
   * @example 0.25
   */
  x: number;
  /**
   * From above.
   * @example 0.5
   */
  y: number;
}

/** The picture of a plan. */
export interface TilePictureView extends TileSpotView {
  /**
   * The width as a part of the plan's side; `x` and `y` are of the middle.
   * @example 0.8
   */
  width: number;
  /** @example 0.6 */
  height: number;
  /**
   * Degrees clockwise.
   * @example 0
   */
  rotation: number;
  /**
   * When it was last changed, in unix seconds.
   * @example 1795200000
   */
  date: number;
}

/** The plan of an environment, without coordinates. */
export interface TilePlanView {
  /** The corners of its outline; none without one. */
  outline: TileSpotView[];
  /** `null` without a picture. */
  picture: TilePictureView | null;
}

export function toPlanView({ outline, picture }: TilePlan): TilePlanView {
  if (!picture) return { outline, picture };
  const { changedMs, ...place } = picture;
  return { outline, picture: { ...place, date: toUnixSeconds(changedMs) } };
}
