import type { PasswordDigest } from '../accounts/sessions.request';

/** Proves that the user of the session changes their second factors: the password, or a code. */
export interface ProofRequest {
  /** @example "5ebe2294ecd0e0f08eab7690d2a6ee69" */
  current_password?: PasswordDigest;
  /**
   * Instead of the password: a code of the authenticator app, or a recovery code.
   * @maxLength 100
   * @example "492039"
   */
  otp?: string;
}

/** The first code of an authenticator app. */
export interface ConfirmTotpRequest {
  /**
   * The code that the app shows now.
   * @minLength 1
   * @maxLength 100
   * @example "492039"
   */
  otp: string;
}
