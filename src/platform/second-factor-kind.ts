/** What proves, besides the password, that a login is its user's. */
export type SecondFactorKind = 'totp' | 'passkey';
