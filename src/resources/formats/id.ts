import { NotFound } from '../../platform/errors';
import { parseId } from '../../rules/id';

/** The number of a thing named in a path. A text that cannot be an id names nothing, so it is "not found". */
export function readId(text: string, what: string): number {
  const id = parseId(text);
  if (id === null) throw new NotFound(`the ${what}`);
  return id;
}
