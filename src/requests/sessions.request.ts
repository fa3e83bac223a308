/**
 * The md5 hash of a password: 32 hexadecimal digits, in upper or lower case.
 * @pattern ^[0-9a-fA-F]{32}$ must be 32 hexadecimal digits (the md5 hash of the password)
 */
export type PasswordDigest = string;

/** A login. */
export interface LoginRequest {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "ada"
   */
  username: string;
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  password: PasswordDigest;
}

/** A change of one's own password. */
export interface ChangePasswordRequest {
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  current_password: PasswordDigest;
  /** @example "6d54be08dab3a7600e0656c7fb05a5a0" */
  new_password: PasswordDigest;
}

/** Names the account whose password is forgotten: its username or its email address. */
export interface PasswordResetRequest {
  /**
   * @maxLength 255
   * @example "ada@example.org"
   */
  email?: string;
  /**
   * @maxLength 255
   * @example "ada"
   */
  username?: string;
}

/** The token out of the mail, and the new password. */
export interface ResetPasswordRequest {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "Zk3vQ9xWm2Lp7Rt5Yv8Bn4Cd6E0"
   */
  token: string;
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  password: PasswordDigest;
}
