import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import { readScopes } from '../../platform/scopes';
import type { ApiKey } from '../../storage/models/api-key.model';

/** A key of a device or program. */
export interface KeyView {
  /** @example "3" */
  id: string;
  /** @example "greenhouse, south wall" */
  name: string;
  /** @example ["data:write"] */
  scopes: ('read' | 'data:write' | 'sensors:create' | 'rules:propose' | 'write')[];
  /**
   * The only sensors that the key reaches; empty if it is not limited. Deleted sensors stay in the list.
   * @example ["42"]
   */
  sensors: string[];
  /**
   * How many sensors the key may make for outside names, if its scopes allow it; absent if nothing was set.
   * @example 1000
   */
  create_limit?: number;
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds: when the key ends; `null` if it does not end.
   * @example 1826755200
   */
  expires: number | null;
  /**
   * Unix seconds, accurate to a minute; `null` if the key has not been used.
   * @example 1795229544
   */
  last_used: number | null;
  /**
   * The last four characters of the secret.
   * @example "x7Qd"
   */
  hint: string;
}

/** A key with its secret, which is shown once. */
export interface NewKeyView extends KeyView {
  /**
   * Requests send this text. It cannot be shown again.
   * @example "key_4fYtR0mZqL8wVb2NcXk7Jd1HsPg5Ae9UoTi3Wn6Cx7Qd"
   */
  secret: string;
}

/** The response with one key. */
export interface KeyResponse {
  key: KeyView;
}

/** The response with a new key. */
export interface NewKeyResponse {
  key: NewKeyView;
}

/** The response with a page of keys. */
export interface KeysResponse extends PageTotal {
  keys: KeyView[];
}

export function toKeyView(key: ApiKey): KeyView {
  const sensors: number[] = JSON.parse(key.sensors ?? '[]');
  return {
    id: String(key.id),
    name: key.name,
    scopes: readScopes(key.scopes),
    sensors: sensors.map(String),
    ...(key.createLimit !== null && { create_limit: key.createLimit }),
    created: toUnixSeconds(key.createdMs),
    expires: toUnixSecondsOrNull(key.expiresMs),
    last_used: toUnixSecondsOrNull(key.usedMs),
    hint: key.hint,
  };
}
