import { toUnixSeconds } from '../../edge/dates';
import type { FloorPlan } from '../../storage/models/floor-plan.model';
import type { ImageType } from './image-header';

/** The picture behind an outline: what it is, and where it lies. */
export interface FloorPlanView {
  /** @example "image/png" */
  type: ImageType;
  /**
   * The size of the picture in bytes.
   * @isInt
   * @example 48213
   */
  bytes: number;
  /**
   * In pixels.
   * @isInt
   * @example 1600
   */
  pixel_width: number;
  /**
   * In pixels.
   * @isInt
   * @example 900
   */
  pixel_height: number;
  /**
   * `<latitude> <longitude>` of its middle.
   * @example "51.9037 4.4604"
   */
  position: string;
  /**
   * The distance that its width covers, in metres.
   * @example 24.5
   */
  width: number;
  /**
   * Degrees clockwise; with 0 its upper edge is in the north.
   * @example 0
   */
  rotation: number;
  /**
   * When it was last changed, in unix seconds.
   * @example 1795200000
   */
  date: number;
}

/** The response with a floor plan. */
export interface FloorPlanResponse {
  floor_plan: FloorPlanView;
}

export function toFloorPlanResponse(plan: Omit<FloorPlan['dataValues'], 'image'>): FloorPlanResponse {
  return {
    floor_plan: {
      type: plan.type as ImageType, // the column holds nothing else
      bytes: plan.imageBytes,
      pixel_width: plan.pixelWidth,
      pixel_height: plan.pixelHeight,
      position: plan.position,
      width: plan.width,
      rotation: plan.rotation,
      date: toUnixSeconds(plan.changedMs),
    },
  };
}
