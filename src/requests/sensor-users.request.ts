/** Names a user: by id, by username, or by both. */
export interface NamedUser {
  /**
   * Empty or 0 together with a username means that the username names the user.
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

/** Shares a sensor with a user. */
export interface ShareSensorRequest {
  user: NamedUser;
}
