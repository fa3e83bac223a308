import { InvalidInput } from '../errors';

/** Of values or texts in one answer. It is put together in memory, where each costs several times its bytes. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** InvalidInput when so many bytes of values or texts on one page are too many for one answer. */
export function requireFits(bytes: number): void {
  if (bytes <= MAX_ANSWER_BYTES) return;
  throw InvalidInput.field('per_page', 'asks for more than 32 MB of text at once; ask for fewer per page');
}
