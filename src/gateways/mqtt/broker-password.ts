import type { SecretBox } from '../../platform/secret-box';
import { receiverOfBroker } from './broker-url';

/** A source of MQTT, as far as its password is bound to it. */
interface Bound {
  ownerId: number;
  url: string;
}

/** Encrypts the password for a broker. It can be decrypted for the same owner, host and port only. */
export function sealPassword(box: SecretBox, password: string, bound: Bound): string {
  return box.seal(password, boundTo(bound));
}

/** Decrypts a password of `sealPassword`. Throws if it was sealed with another key, owner, host or port. */
export function openPassword(box: SecretBox, sealed: string, bound: Bound): string {
  return box.open(sealed, boundTo(bound));
}

function boundTo({ ownerId, url }: Bound): string {
  return `MQTT source of ${ownerId} at ${receiverOfBroker(url)}`;
}
