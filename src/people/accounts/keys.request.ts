import { type DateInput, readDate } from '../../edge/dates';
import { parseId } from '../../edge/id';
import { InvalidInput } from '../../platform/errors';
import { CREATE_LIMIT } from '../../platform/scopes';

/**
 * `read` sees everything that you can see; `data:write` uploads and deletes data points; `sensors:create` lets agents
 * make sensors for series that they name; `rules:propose` tries changed rules as shadows, and changes none; `write`
 * changes everything, and includes these three.
 */
export type KeyScope = 'read' | 'data:write' | 'sensors:create' | 'rules:propose' | 'write';

/** A new key. */
export interface NewKey {
  /**
   * For example the place where the key is used.
   * @minLength 1
   * @maxLength 255
   * @example "greenhouse, south wall"
   */
  name: string;
  /**
   * The permissions of the key: at least one.
   * @minItems 1
   * @example ["data:write"]
   */
  scopes: KeyScope[];
  /**
   * The only sensors that the key reaches; all that you can see if the list is empty or absent.
   * @example ["42"]
   */
  sensors?: string[];
  /**
   * How many sensors the key may make for outside names, if it has `sensors:create` or `write`; 1,000 by default.
   * @isInt
   * @minimum 0
   * @maximum 100000
   * @example 1000
   */
  create_limit?: number;
  /**
   * Unix seconds: when the key ends; 0 or absent: never.
   * @minimum 0
   * @maximum 253402300799
   * @example 1826755200
   */
  expires?: DateInput;
}

/** Creates a key. */
export interface CreateKeyRequest {
  key: NewKey;
}

/** The fields of a key to change; others keep their values. */
export interface KeyFields {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "greenhouse, north wall"
   */
  name?: string;
  /**
   * The only sensors that the key reaches. An empty list lifts the limit.
   * @example ["42"]
   */
  sensors?: string[];
  /**
   * How many sensors the key may make for outside names, if it has `sensors:create` or `write`.
   * @isInt
   * @minimum 0
   * @maximum 100000
   * @example 2000
   */
  create_limit?: number;
  /**
   * Unix seconds: when the key ends. 0 lifts the end.
   * @minimum 0
   * @maximum 253402300799
   * @example 1826755200
   */
  expires?: DateInput;
}

/** Changes a key. */
export interface UpdateKeyRequest {
  key: KeyFields;
}

/** Reads a new key; InvalidInput if it would have no permissions. */
export function readNewKey({ name, scopes, sensors, create_limit, expires }: NewKey) {
  if (scopes.length === 0) throw InvalidInput.field('key.scopes', 'must name at least one scope');
  const makes = scopes.includes('sensors:create');
  const fields = readKeyFields({ sensors, create_limit: create_limit ?? (makes ? CREATE_LIMIT : undefined), expires });
  return { ...fields, name, scopes };
}

/** Reads the changes of a key: null lifts a limit, undefined does not change the field. */
export function readKeyFields({ name, sensors, create_limit, expires }: KeyFields) {
  return {
    name,
    sensors: sensors && (sensors.length === 0 ? null : sensors.map(readSensor)),
    createLimit: create_limit,
    expiresMs: expires === 0 ? null : expires && readDate(expires, 'key.expires'),
  };
}

function readSensor(text: string, index: number): number {
  const id = parseId(text);
  if (id === null) throw InvalidInput.field(`key.sensors[${index}]`, 'must be the id of a sensor');
  return id;
}
