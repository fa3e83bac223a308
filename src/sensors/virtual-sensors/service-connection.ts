import type { GivenFleet } from '../fleets/fleet-settings';

/** The name of a service of the catalogue; the OpenAPI document lists them. */
export type ServiceName = string;

/** Undefined for what the caller did not give. */
export interface ServiceConnection {
  serviceId?: number;
  name?: ServiceName;
  fields?: readonly string[];
  /** For a new fleet. */
  fleet?: GivenFleet | undefined;
  virtual: { name?: string; deviceType?: string };
}
