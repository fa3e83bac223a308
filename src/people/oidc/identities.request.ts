import type { PasswordDigest } from '../accounts/sessions.request';

/** Begins a link, and proves that it is you. */
export interface LinkRequest {
  /**
   * The current password; required if the session is older than ten minutes.
   * @example "5ebe2294ecd0e0f08eab7690d2a6ee69"
   */
  current_password?: PasswordDigest;
}
