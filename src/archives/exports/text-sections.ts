import { readNotificationSecrets } from '../../alerts';
import { toUserView } from '../../people';
import type { SecretBox } from '../../platform/secret-box';
import { User } from '../../storage/models/user.model';
import type { ArchivedServices } from '../archived-services';
import { type DerivedKey, encrypt } from '../passphrase';
import { textSection } from './section';

/** How an export was asked for. */
export interface ExportOptions {
  /** The key for secrets, sealed; absent without secrets. */
  key?: string;
}

/** The owner of sealed keys, in the terms of the secret box. */
export function keyOwner(ownerId: number): string {
  return `export of ${ownerId}`;
}

export function accountSection() {
  return textSection('account.json', async ({ ownerId }) => {
    const user = await User.findByPk(ownerId);
    return user ? `${JSON.stringify({ account: toUserView(user) }, undefined, 2)}\n` : undefined;
  });
}

export function ruleSection(archivedRules: ArchivedServices['archivedRules']) {
  return textSection('rules.yaml', ({ ownerId }) => archivedRules.text(ownerId));
}

/** Only if they were asked for. */
export function secretSection(box: SecretBox) {
  return textSection('secrets.enc', async ({ ownerId, options }) => {
    const { key }: ExportOptions = JSON.parse(options);
    if (key === undefined) return undefined;
    const derived: DerivedKey = JSON.parse(box.open(key, keyOwner(ownerId)));
    return encrypt(JSON.stringify({ notifications: await readNotificationSecrets(ownerId, box) }), derived);
  });
}
