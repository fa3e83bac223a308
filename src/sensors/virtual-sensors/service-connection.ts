/** The name of a service of the catalogue; the OpenAPI document lists them. */
export type ServiceName = string;

/** Undefined for what the caller did not give. */
export interface ServiceConnection {
  serviceId?: number;
  name?: ServiceName;
  fields?: readonly string[];
  virtual: { name?: string; deviceType?: string };
}
