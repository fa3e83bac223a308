import { toUnixSeconds } from '../../edge/dates';
import type { Passkey } from '../../storage/models/passkey.model';
import type { PasskeyDocument } from './passkeys.request';

/** A passkey of an account. */
export interface PasskeyView {
  /** @example "7" */
  id: string;
  /** @example "Phone" */
  name: string;
  /**
   * Unix seconds.
   * @example 1795200000
   */
  created: number;
  /**
   * Unix seconds of the latest login with it; null before the first.
   * @example 1795229544
   */
  last_used: number | null;
}

/** What a browser needs for a passkey. */
export interface PasskeyOptionsResponse {
  /**
   * The `publicKey` of `navigator.credentials.create` or `get`, as JSON. Its challenge is good once, within five minutes.
   * @example {"challenge":"n0vyHpdQ3wFsLh8m4fGm0g","rpId":"sensors.example.org","userVerification":"required"}
   */
  options: PasskeyDocument;
}

/** A new passkey, and the first recovery codes of the account. */
export interface NewPasskeyResponse {
  passkey: PasskeyView;
  /**
   * Shown only here. Empty if the account has codes already.
   * @example ["k3vq-9xwm-2hp7-rt5y", "bn4c-d6ez-q8sj-w2ma"]
   */
  recovery_codes: string[];
}

export function toPasskeyView({ id, name, createdMs, usedMs }: Passkey): PasskeyView {
  const used = usedMs === null ? null : toUnixSeconds(usedMs);
  return { id: String(id), name, created: toUnixSeconds(createdMs), last_used: used };
}
