import { isRecord } from '../../platform/is-record';
import { parseRecord } from '../../platform/parse-record';
import { MAX_OUTLINE_LENGTH, type Parsed, parseOutline, refused } from './coordinates';

const KINDS = 'must be points, or a Polygon or MultiPolygon in GeoJSON';

/** An outline as it is stored. A geometry in GeoJSON, or a feature with one, becomes loops. */
export function readOutline(given: string): Parsed<string> {
  if (given.length > MAX_OUTLINE_LENGTH || !given.trimStart().startsWith('{')) return checked(given);
  const loops = loopsOf(parseRecord(given));
  return loops ? checked(loops.map(loopText).join(';')) : refused(KINDS);
}

function checked(text: string): Parsed<string> {
  const parsed = parseOutline(text);
  return parsed.ok ? { ok: true, value: text } : parsed;
}

/** Undefined for another geometry. */
function loopsOf(value: Record<string, unknown> | undefined): unknown[] | undefined {
  const geometry = value?.type === 'Feature' ? value.geometry : value;
  if (!isRecord(geometry) || !Array.isArray(geometry.coordinates)) return undefined;
  const { type, coordinates } = geometry;
  if (type === 'Polygon') return coordinates;
  return type === 'MultiPolygon' ? coordinates.flat() : undefined;
}

/** Anything but positions becomes a text that is refused when it is checked. */
function loopText(loop: unknown): string {
  const positions: unknown[] = Array.isArray(loop) ? loop : [];
  const texts = positions.map((position) => {
    const [longitude, latitude, ...rest]: unknown[] = Array.isArray(position) ? position : [];
    return [latitude, longitude, ...rest].map(String).join(' ');
  });
  // The last position of a loop repeats the first one.
  return texts.length > 3 && texts.at(-1) === texts[0] ? texts.slice(0, -1).join(',') : texts.join(',');
}
