import { Words } from '../../platform/words/words';
import { User } from '../../storage/models/user.model';
import type { DeliveryRow } from './attempt';

/** Texts of the owner's language. A webhook with the platform's own body is for programs: its texts are English. */
export function wordsOf({ type, body, owner_language }: Pick<DeliveryRow, 'type' | 'body' | 'owner_language'>): Words {
  return type === 'url' && body === null ? Words.english : Words.in(owner_language);
}

/** Texts of the user's language. */
export async function readWords(userId: number): Promise<Words> {
  const user = await User.findByPk(userId, { attributes: ['language'] });
  return Words.in(user?.language);
}
