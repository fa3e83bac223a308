import { isEmailAddress } from '../../edge/mail-address';
import { isTimeZone } from '../../language/local-time';
import type { OidcConfig, OperatorRule } from '../../platform/oidc-settings';
import { randomText } from '../../platform/secrets';
import { usernameProblem } from '../accounts/account';

/** What the provider says about a user. Only the issuer and the subject identify them. */
export interface Profile {
  issuer: string;
  subject: string;
  name: string;
  /** Wishes for the username of a new account. */
  usernames: readonly string[];
  /** Empty unless the provider has verified it. */
  email: string;
  given: { name?: string; surname?: string; timezone?: string };
  /** Undefined if the provider left the groups out, because there are too many. */
  groups: ReadonlySet<string> | undefined;
}

/** An ID token with what the provider said in addition. */
export type ProviderStatement = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 255;
/** Spaces at the ends make no difference to MySQL. */
const SUBJECT = /^(?! )[\x20-\x7e]{1,255}(?<! )$/;
const TRIES = 5;

/** Undefined without a usable issuer and subject. */
export function toProfile(said: ProviderStatement, groupsClaim: string | undefined): Profile | undefined {
  const [issuer, subject] = [textIn(said, 'iss'), textIn(said, 'sub')];
  if (!SUBJECT.test(issuer) || !SUBJECT.test(subject)) return undefined;
  const address = textIn(said, 'email');
  const email = said.email_verified === true && isEmailAddress(address) ? address : '';
  const preferred = textIn(said, 'preferred_username');
  const timezone = textIn(said, 'zoneinfo');
  return {
    ...{ issuer, subject, email },
    name: preferred || email || textIn(said, 'name') || subject,
    // Other users see usernames, so they are no mail addresses.
    usernames: [preferred, email, textIn(said, 'name')].map((text) => text.split('@', 1)[0]?.trim() ?? ''),
    given: {
      name: textIn(said, 'given_name'),
      surname: textIn(said, 'family_name'),
      ...(isTimeZone(timezone) && { timezone }),
    },
    groups: groupsIn(said, groupsClaim),
  };
}

/** The names to try for a new account, best first. */
export function usernamesFor({ usernames }: Pick<Profile, 'usernames'>): string[] {
  const wish = usernames.find((name) => usernameProblem(name) === null && name.length < MOST_CHARACTERS / 2) ?? 'user';
  const numbered = Array.from({ length: TRIES - 1 }, (_, index) => `${wish}-${index + 2}`);
  return [wish, ...numbered, `${wish}-${randomText(8).toLowerCase()}`];
}

/** Ids of groups of the platform; undefined if the provider left the groups out. */
export function providedGroups({ groups }: Pick<Profile, 'groups'>, { groups: mappings }: OidcConfig) {
  const wanted = mappings.filter(({ value }) => groups?.has(value)).map(({ groupId }) => groupId);
  return groups && new Set(wanted);
}

/** The right of an operator and the rule that gives it; undefined for all others. */
export function operatorRuleOf(profile: Pick<Profile, 'subject' | 'groups'>, { operators }: OidcConfig) {
  const applies = ({ kind, value }: OperatorRule) =>
    kind === 'sub' ? value === profile.subject : (profile.groups?.has(value) ?? false);
  for (const role of ['act', 'look'] as const) {
    const rule = operators[role].find(applies);
    if (rule) return { role, rule };
  }
  return undefined;
}

/** Cut, so that it fits its column. */
function textIn(said: ProviderStatement, name: string): string {
  const value = said[name];
  if (typeof value !== 'string') return '';
  return name === 'sub' || name === 'iss' ? value : value.slice(0, MOST_CHARACTERS).trim();
}

/** Entra leaves out long lists, and names them in `_claim_names`. */
function groupsIn(said: ProviderStatement, name: string | undefined): ReadonlySet<string> | undefined {
  if (name === undefined) return new Set();
  const value = said[name];
  if (value === undefined && Object.hasOwn(Object(said._claim_names), name)) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return new Set(list.filter((entry) => typeof entry === 'string'));
}
