import type { PageTotal } from '../../edge/paging';
import { toFields } from '../../edge/renaming';
import type { User } from '../../storage/models/user.model';
import type { BlockedUser } from './blocked-users.service';
import { type PublicUserView, toPublicUserView } from './public-user.view';
import type { PasswordWarning } from './session.view';
import { WEEKDAYS, type WeeklyReportTime } from './users.request';

/** Your own account, without the password. */
export interface UserView {
  /** @example "1" */
  id: string;
  /** @example "ada@example.org" */
  email: string;
  /** @example "ada" */
  username: string;
  /** @example "Ada" */
  name: string;
  /** @example "Lovelace" */
  surname: string;
  /** @example "12 St James Square" */
  address: string;
  /** @example "SW1Y 4JH" */
  zipcode: string;
  /** @example "United Kingdom" */
  country: string;
  /** @example "+44 20 7946 0018" */
  mobile: string;
  /**
   * The time zone in which you read times, by its name in the IANA database; `null`: not chosen. Only you see it.
   * @example "Europe/Amsterdam"
   */
  timezone: string | null;
  /**
   * The language of your mails; `null`: not chosen. Only you see it.
   * @example "en"
   */
  language: 'en' | 'de' | null;
  /** When a mail about the week of your alerts is sent; `null`: never. Only you see it. */
  weekly_report: WeeklyReportTime | null;
  /** @example "18a95727-a523-4f29-bb76-c15f3d0e6fc2" */
  UUID: string;
  /**
   * Always null: kept for old clients.
   * @example null
   */
  openid: null;
}

/** The response with one user. */
export interface UserResponse {
  user: UserView;
}

/** The response with a changed account. */
export interface UpdatedUserResponse extends UserResponse, PasswordWarning {}

export function toUserView(user: User): UserView {
  return {
    id: String(user.id),
    email: user.email,
    username: user.username,
    ...toFields(user, ['name', 'surname', 'address', 'zipcode', 'country', 'mobile']),
    timezone: user.timezone ?? null,
    language: user.language ?? null,
    weekly_report: toWeeklyReport(user),
    UUID: user.uuid,
    openid: null,
  };
}

function toWeeklyReport({ weeklyReportDay, weeklyReportHour: hour }: User): WeeklyReportTime | null {
  const day = WEEKDAYS[weeklyReportDay ?? -1];
  return day === undefined || hour === undefined || hour === null ? null : { day, hour };
}

/** A user whose shares you refuse. */
export interface BlockedUserView extends PublicUserView {
  /**
   * Whether you refuse all their sensors; `false`: only those that you removed yourself from.
   * @example true
   */
  blocked: boolean;
}

/** The response with one blocked user. */
export interface BlockedUserResponse {
  user: BlockedUserView;
}

/** The response with a page of blocked users. */
export interface BlockedUsersResponse extends PageTotal {
  users: BlockedUserView[];
}

export function toBlockedUserView({ user, isBlocked }: BlockedUser): BlockedUserView {
  return { ...toPublicUserView(user), blocked: isBlocked };
}
