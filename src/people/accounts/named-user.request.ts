/** Refers to a user by id, by username, or by both. */
export interface NamedUser {
  /**
   * May be empty or 0 if a username is given.
   * @maxLength 20
   * @example "2"
   */
  id?: string;
  /**
   * @maxLength 255
   * @example "grace"
   */
  username?: string;
}
