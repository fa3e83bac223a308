import { toUnixSeconds, toUnixSecondsOrNull } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { ListedAuthorization } from './authorizations.service';

/** An application with an authorization. */
export interface AllowedApplicationView {
  /** @example "3" */
  id: string;
  /** @example "Weather station" */
  name: string;
}

/** An authorization: the access that you allow an application. */
export interface AuthorizationView {
  /** @example "7" */
  id: string;
  application: AllowedApplicationView;
  /** @example ["read", "write"] */
  scopes: string[];
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds; `null` if it has no end.
   * @example 1795286400
   */
  expires: number | null;
  /**
   * Unix seconds, accurate to a minute; `null` if it has never been used.
   * @example 1795229544
   */
  last_used: number | null;
}

/** The response with a page of your authorizations. */
export interface AuthorizationsResponse extends PageTotal {
  authorizations: AuthorizationView[];
}

export function toAuthorizationView(listed: ListedAuthorization): AuthorizationView {
  return {
    id: String(listed.id),
    application: { id: String(listed.application.id), name: listed.application.name },
    scopes: listed.scopes,
    created: toUnixSeconds(listed.createdMs),
    expires: toUnixSecondsOrNull(listed.expiresMs),
    last_used: toUnixSecondsOrNull(listed.lastUsedMs),
  };
}
