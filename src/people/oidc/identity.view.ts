import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { Identity } from '../../storage/models/identity.model';

/** An identity at the provider of OpenID Connect that may log in to the account. */
export interface IdentityView {
  /** @example "3" */
  id: string;
  /**
   * The address of the provider.
   * @example "https://login.example.org"
   */
  issuer: string;
  /**
   * The identifier at the provider, which never changes.
   * @example "248289761001"
   */
  subject: string;
  /**
   * The username or address at the provider, at the latest login.
   * @example "ada@example.org"
   */
  name: string;
  /**
   * Unix seconds of the link.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds of the latest login; `null`: none yet.
   * @example 1795229544
   */
  last_used: number | null;
}

/** The response with a page of identities. */
export interface IdentitiesResponse extends PageTotal {
  identities: IdentityView[];
}

/** Where a link goes on. */
export interface LinkResponse {
  /**
   * The page to open in the browser of this session within a minute.
   * @example "/login/oidc?link=mFh2…"
   */
  location: string;
}

export function toIdentityView({ id, issuer, subject, name, createdMs, usedMs }: Identity): IdentityView {
  const dates = { created: toUnixSeconds(createdMs), last_used: usedMs === null ? null : toUnixSeconds(usedMs) };
  return { id: String(id), issuer, subject, name, ...dates };
}
