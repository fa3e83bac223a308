import type { SecretBox } from '../../platform/secret-box';
import { receiverOfBroker } from './broker-url';

/** What the password is bound to. */
interface Bound {
  ownerId: number;
  url: string;
}

export function sealPassword(box: SecretBox, password: string, bound: Bound): string {
  return box.seal(password, boundTo(bound));
}

export function openPassword(box: SecretBox, sealed: string, bound: Bound): string {
  return box.open(sealed, boundTo(bound));
}

function boundTo({ ownerId, url }: Bound): string {
  return `MQTT source of ${ownerId} at ${receiverOfBroker(url)}`;
}
