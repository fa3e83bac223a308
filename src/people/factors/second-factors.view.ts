import { renderSVG } from 'uqr';
import { toUnixSeconds } from '../../edge/dates';
import type { Passkey } from '../../storage/models/passkey.model';
import { type PasskeyView, toPasskeyView } from './passkey.view';
import type { FactorList } from './second-factors.service';

/** An authenticator app. */
export interface TotpView {
  /**
   * Unix seconds of its first code.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds of its latest code.
   * @example 1795229544
   */
  last_used: number;
}

/** What an account has besides its password. */
export interface SecondFactorsResponse {
  /**
   * False for an account that an identity provider opened and that has chosen none: it proves itself by another login.
   * @example true
   */
  password: boolean;
  /** The authenticator app; null without one. */
  totp: TotpView | null;
  /** Ordered by id. */
  passkeys: PasskeyView[];
  /**
   * How many recovery codes are left.
   * @example 10
   */
  recovery_codes: number;
}

/** What to enter in an authenticator app. It is shown only here. */
export interface NewTotpResponse {
  /**
   * In base32, for an app that reads no picture.
   * @example "AAAAAAAA22222222AAAAAAAA22222222"
   */
  secret: string;
  /**
   * What the picture says.
   * @example "otpauth://totp/sensors.example.org:ada?issuer=sensors.example.org&secret=AAAAAAAA22222222AAAAAAAA22222222&algorithm=SHA1&digits=6&period=30"
   */
  uri: string;
  /**
   * The QR code, as an SVG picture.
   * @example "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 45 45\"><path d=\"M1 1h1v1h-1z\"/></svg>"
   */
  qr_code: string;
}

/** Codes that each replace a second factor once. They are shown only here. */
export interface RecoveryCodesResponse {
  /**
   * Empty if the account has codes already.
   * @example ["k3vq-9xwm-2hp7-rt5y", "bn4c-d6ez-q8sj-w2ma"]
   */
  recovery_codes: string[];
}

export function toSecondFactorsView({
  hasPassword: password,
  totp,
  passkeys,
  recoveryCodes,
}: FactorList & { passkeys: readonly Passkey[] }): SecondFactorsResponse {
  const shown = passkeys.map(toPasskeyView);
  return { password, totp: totp && toTotpView(totp), passkeys: shown, recovery_codes: recoveryCodes };
}

function toTotpView({ createdMs, confirmedMs, usedMs }: NonNullable<FactorList['totp']>): TotpView {
  const created = confirmedMs ?? createdMs;
  return { created: toUnixSeconds(created), last_used: toUnixSeconds(usedMs ?? created) };
}

export function toNewTotpView(made: { secret: string; uri: string }): NewTotpResponse {
  return { ...made, qr_code: renderSVG(made.uri, { border: 2 }) };
}
