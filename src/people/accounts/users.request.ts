import { isEmailAddress } from '../../edge/mail-address';
import { isTimeZone, TIME_ZONE_RULE } from '../../language/local-time';
import { type FieldErrors, InvalidInput } from '../../platform/errors';
import { usernameProblem } from './account';
import type { NamedUser } from './named-user.request';
import type { PasswordDigest } from './sessions.request';

/** @maxLength 255 */
export type ShortText = string;

/** The optional details of a user. */
export interface UserDetails {
  /** @example "Ada" */
  name?: ShortText;
  /** @example "Lovelace" */
  surname?: ShortText;
  /** @example "+44 20 7946 0018" */
  mobile?: ShortText;
  /** @example "12 St James Square" */
  address?: ShortText;
  /** @example "SW1Y 4JH" */
  zipcode?: ShortText;
  /** @example "United Kingdom" */
  country?: ShortText;
  /**
   * The time zone of the times in the mails about your alerts, by its name in the IANA database; `null`: the time zone of
   * the trigger.
   * @maxLength 64
   * @example "Europe/Amsterdam"
   */
  timezone?: string | null;
  /**
   * The language of the mails about your account and your alerts: `en` (English) or `de` (German); `null`: English, until
   * you choose.
   * @example "en"
   */
  language?: 'en' | 'de' | null;
}

/** A new user. */
export interface NewUser extends UserDetails {
  /**
   * The address to which the platform sends mails.
   * @maxLength 254
   * @example "ada@example.org"
   */
  email: string;
  /**
   * Unique without regard to letter case. It must not look like another name: no invisible characters, no letters of
   * several scripts, such as Latin and Cyrillic, and no similarity to a name that is taken.
   * @minLength 1
   * @maxLength 255
   * @example "ada"
   */
  username: string;
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  password: PasswordDigest;
}

/** Registers a user. */
export interface RegistrationRequest {
  user: NewUser;
  /**
   * `true` suppresses the welcome mail.
   * @example true
   */
  disable_mail?: boolean;
  /**
   * The code of the operator; only required if registration needs an invitation.
   * @maxLength 255
   * @example "a code of sixteen characters or more"
   */
  invitation?: string;
}

/** A day of the week. */
export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

/** A time of the week in the time zone of the account; in UTC if it has none. */
export interface WeeklyReportTime {
  /** @example "monday" */
  day: Weekday;
  /**
   * @isInt
   * @minimum 0
   * @maximum 23
   * @example 8
   */
  hour: number;
}

/** The fields of a user to change; others keep their values. */
export interface UserChanges extends UserDetails {
  /**
   * When a mail about the week of your alerts is sent to the address of the account, if that is confirmed; `null`: never.
   */
  weekly_report?: WeeklyReportTime | null;
  /**
   * @maxLength 254
   * @example "ada.lovelace@example.org"
   */
  email?: string;
  /**
   * @maxLength 255
   * @example "ada.lovelace"
   */
  username?: string;
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  password?: PasswordDigest;
  /**
   * The current password; required for a new password or email if the session is older than ten minutes, or if the
   * account has a password and a second factor. An account without a password logs in again instead.
   * @example "5ebe2294ecd0e0f08eab7690d2a6ee69"
   */
  current_password?: PasswordDigest;
  /**
   * With a new password: `true` also ends all your keys, all authorizations of applications, the tokens and secrets of
   * your own services, and the links to your identities.
   * @example false
   */
  end_everything?: boolean;
}

/** Changes your own account. */
export interface UpdateUserRequest {
  user: UserChanges;
}

/** The error does not repeat the given text, which is the user's. */
const EMAIL_RULE = 'must be an email address such as ada@example.org, without spaces, commas or quotes';

/**
 * Reads an account; refuses an invalid username or email address, and an unknown time zone. The current username is always accepted, under
 * whichever rules it was made.
 */
export function readAccount<T extends UserChanges>(user: T, presentUsername?: string): T {
  const fields: FieldErrors = {};
  const { username = presentUsername } = user;
  const problem = username === presentUsername || username === undefined ? null : usernameProblem(username);
  if (problem) fields['user.username'] = problem;
  if (user.email !== undefined && !isEmailAddress(user.email)) fields['user.email'] = EMAIL_RULE;
  if (typeof user.timezone === 'string' && !isTimeZone(user.timezone)) fields['user.timezone'] = TIME_ZONE_RULE;
  const [first] = Object.entries(fields);
  if (first) throw new InvalidInput(first.join(' '), fields);
  return user;
}

/** By `Date.getUTCDay`. */
export const WEEKDAYS: Weekday[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Undefined if it is not given. */
export function readWeeklyReport({ weekly_report: time }: UserChanges) {
  if (time === undefined) return undefined;
  return { weeklyReportDay: time && WEEKDAYS.indexOf(time.day), weeklyReportHour: time?.hour ?? null };
}

/** Blocks a user. */
export interface BlockUserRequest {
  user: NamedUser;
}
