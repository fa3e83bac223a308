import { toUnixSeconds } from '../../edge/dates';
import { readId } from '../../edge/id';
import type { PageTotal } from '../../edge/paging';
import type { NewShare } from './new-shares.service';

/** A sensor that was shared with you. */
export interface NewShareView {
  /** @example "42" */
  sensor_id: string;
  /** @example "greenhouse" */
  name: string;
  /** @example "Greenhouse, south wall" */
  display_name: string;
  /**
   * The username of its owner.
   * @example "grace"
   */
  owner: string;
  /**
   * Unix seconds: when it was shared.
   * @example 1795200000
   */
  date: number;
}

/** The response with a page of sensors that were shared with you. */
export interface NewSharesResponse extends PageTotal {
  shares: NewShareView[];
}

/** The notices to dismiss. */
export interface DismissSharesRequest {
  /**
   * The ids of the sensors.
   * @example ["42"]
   */
  sensors: string[];
}

export function toNewShareView({ sensorId, name, displayName, username, createdMs }: NewShare): NewShareView {
  const names = { name, display_name: displayName, owner: username };
  return { sensor_id: String(sensorId), ...names, date: toUnixSeconds(createdMs) };
}

export function readDismissed({ sensors }: DismissSharesRequest): number[] {
  return sensors.map((id) => readId(id, `sensor ${id}`));
}
