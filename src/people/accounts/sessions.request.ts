/**
 * The MD5 digest of a password: 32 hexadecimal digits, in upper or lower case.
 * @pattern ^[0-9a-fA-F]{32}$ must be 32 hexadecimal digits (the MD5 digest of the password)
 */
export type PasswordDigest = string;

/** Logs in. */
export interface LoginRequest {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "ada"
   */
  username: string;
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  password: PasswordDigest;
  /**
   * Only for an account with a second factor: the present code of the authenticator app, or a recovery code.
   * @maxLength 100
   * @example "492039"
   */
  otp?: string;
}

/** The credentials that a new password ends in addition to sessions. */
export interface PasswordEnd {
  /**
   * `true` also ends all your keys, all authorizations of applications, the tokens and secrets of your own services, and
   * the links to your identities: use it if another person may have had access to the account.
   * @example false
   */
  end_everything?: boolean;
}

/** Changes your own password. */
export interface ChangePasswordRequest extends PasswordEnd {
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  current_password: PasswordDigest;
  /** @example "6d54be08dab3a7600e0656c7fb05a5a0" */
  new_password: PasswordDigest;
}

/** The account with a forgotten password: by its username or its email address. */
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

/** The token in the mail, and the new password. */
export interface ResetPasswordRequest extends PasswordEnd {
  /**
   * @minLength 1
   * @maxLength 255
   * @example "Zk3vQ9xWm2Lp7Rt5Yv8Bn4Cd6E0"
   */
  token: string;
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  password: PasswordDigest;
}
