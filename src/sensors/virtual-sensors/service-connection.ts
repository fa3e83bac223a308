/** The name of a service of the catalogue; the OpenAPI document lists them. */
export type ServiceName = string;

/** Connects a sensor to a service. Undefined for a field that the caller did not give. */
export interface ServiceConnection {
  /** A running service; undefined starts a new one. */
  serviceId?: number;
  /** The name of the service in the catalogue; required for a new one. */
  name?: ServiceName;
  /** The fields of the sensor's values to use; by default all usable ones. */
  fields?: readonly string[];
  /** The virtual sensor of a new service. */
  virtual: { name?: string; deviceType?: string };
}
