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
   */
  username: string;
  password: PasswordDigest;
}

/** A change of one's own password. */
export interface ChangePasswordRequest {
  current_password: PasswordDigest;
  new_password: PasswordDigest;
}

/** Names the account whose password is forgotten: its username or its email address. */
export interface PasswordResetRequest {
  /** @maxLength 255 */
  email?: string;
  /** @maxLength 255 */
  username?: string;
}

/** The token out of the mail, and the new password. */
export interface ResetPasswordRequest {
  /**
   * @minLength 1
   * @maxLength 255
   */
  token: string;
  password: PasswordDigest;
}
