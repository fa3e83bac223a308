import type { Request } from 'express';
import { Words } from '../../platform/words/words';

/** Chooses the browser's preferred language of those that there are, otherwise English. */
export function wordsFor(request: Request): Words {
  return Words.preferredBy(request.get('accept-language'));
}
