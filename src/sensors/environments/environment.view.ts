import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import type { Environment } from '../../storage/models/environment.model';

/** A named place. */
export interface EnvironmentView {
  /** @example "3" */
  id: string;
  /** @example "office" */
  name: string;
  /**
   * `null` if it is not set.
   * @isInt
   * @example 3
   */
  floors: number | null;
  /**
   * Points of `<latitude> <longitude> [<altitude>]`, separated by commas, and loops by semicolons; `""` if it is not set.
   * @example "51.903469 4.459865 0,51.904 4.459865 0,51.904 4.461 0"
   */
  gps_outline: string;
  /**
   * `<latitude> <longitude> [<altitude>]`; `""` if it is not set.
   * @example "51.9037 4.4604 0"
   */
  position: string;
  /**
   * When it was created, in unix seconds.
   * @example 1795200000
   */
  date: number;
}

/** The response with one environment. */
export interface EnvironmentResponse {
  environment: EnvironmentView;
}

/** The response with a page of environments. */
export interface EnvironmentsResponse extends PageTotal {
  environments: EnvironmentView[];
}

export function toEnvironmentView(environment: Environment): EnvironmentView {
  return {
    id: String(environment.id),
    ...toFields(environment, ['name', 'floors', 'gpsOutline', 'position']),
    date: toUnixSeconds(environment.createdMs),
  };
}
