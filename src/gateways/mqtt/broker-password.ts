import type { SecretBox } from '../../platform/secret-box';
import { receiverOfBroker } from './broker-url';

/** What the password is bound to. */
interface Bound {
  ownerId: number;
  url: string;
}

/** Binds the password to owner, host and port. */
export function sealPassword(box: SecretBox, password: string, bound: Bound): string {
  return box.seal(password, boundTo(bound));
}

/** Throws if the password was sealed with another key, owner, host or port. */
export function openPassword(box: SecretBox, sealed: string, bound: Bound): string {
  return box.open(sealed, boundTo(bound));
}

function boundTo({ ownerId, url }: Bound): string {
  return `MQTT source of ${ownerId} at ${receiverOfBroker(url)}`;
}
