import { isRecord } from '../../platform/is-record';

const SHOWN_KEYS = 5;
const SHOWN_CHARACTERS = 40;
const NOT_SHOWN: ReadonlySet<string> = new Set(['session_id', 'api_key', '_method']);

const OF_ONE = '{"value": 21.5, "date": 1795229544} or {"data": [{"value": 21.5}]}';
const OF_SEVERAL = '{"sensors": [{"sensor_id": 42, "data": [{"value": 21.5}]}]}';

/** Says which keys a body without points has, and which form is expected. */
export function whatIsRead(body: unknown): string {
  if (isRecord(body) && Array.isArray(body.data)) return 'the list is empty';
  return `${whatItIs(body)}; send ${OF_ONE}`;
}

export function whatIsReadOfSeveral(body: unknown): string {
  if (isRecord(body) && Array.isArray(body.sensors)) return 'the list is empty';
  return `${whatItIs(body)}; send ${OF_SEVERAL}`;
}

function whatItIs(body: unknown): string {
  if (Array.isArray(body)) return 'it is a list';
  if (!isRecord(body)) return `it is ${body === null ? 'null' : `a ${typeof body}`}, and no object`;
  const given = Object.keys(body).filter((key) => !NOT_SHOWN.has(key.toLowerCase()));
  if (given.length === 0) return 'it has no fields';
  const shown = given.slice(0, SHOWN_KEYS).map((key) => JSON.stringify(key.slice(0, SHOWN_CHARACTERS)));
  return `it has ${shown.join(', ')}${given.length > SHOWN_KEYS ? ' and others' : ''}`;
}
