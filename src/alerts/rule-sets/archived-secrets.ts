import { openSecrets } from '../../notifications';
import type { SecretBox } from '../../platform/secret-box';
import type { NotificationSecrets } from './archived-rules';
import { readPresent } from './present-rules';
import { namesOfThings } from './rule-set-text';

const MOST = 100_000;

/** The values that documents hide, by the names of notifications in them. Throws if the key of the platform was replaced. */
export async function readNotificationSecrets(
  ownerId: number,
  box: SecretBox,
): Promise<Record<string, NotificationSecrets>> {
  const present = await readPresent(ownerId, 'all', false, MOST);
  const found = namesOfThings(present).flatMap(({ name, thing }) => {
    if (thing.kind !== 'notification' || (!thing.row.headers && !thing.row.secrets)) return [];
    const [headers, secrets] = [thing.row.headers, thing.row.secrets].map((one) => openSecrets(box, one, ownerId));
    return [[name, { headers, secrets }] as const];
  });
  return Object.fromEntries(found);
}
