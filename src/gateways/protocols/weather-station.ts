import { isWellFormed } from '../../platform/well-formed';
import { readDateUtc } from './message-dates';
import type { SeriesPoint } from './series';
import { pointsOf } from './series-point';
import { UnreadableMessage } from './unreadable';
import { readWeatherField, type WeatherUnits } from './weather-units';

export interface WeatherOptions {
  units: WeatherUnits;
}

export interface WeatherStation {
  name: string;
  title: string;
  source: 'ecowitt' | 'wunderground';
  tagNames: readonly string[];
  /** Other parameters that are no fields, in lower case. */
  ignored: ReadonlySet<string>;
}

/** Stations send up to about 200 parameters. */
const MAX_PARAMETERS = 1_000;

/** Secret, or identify the sender. In lower case. */
const NEVER_STORED: ReadonlySet<string> = new Set(['passkey', 'password', 'id', 'api_key', 'dateutc']);

/** All measurements of a message, converted by the options; empty if all values are missing. */
export function weatherPoints(
  { name, title, source, tagNames, ignored }: WeatherStation,
  form: Readonly<Record<string, string>>,
  { units }: WeatherOptions,
): SeriesPoint[] {
  const parameters = Object.entries(form).filter(([, text]) => typeof text === 'string');
  if (parameters.length > MAX_PARAMETERS) throw new UnreadableMessage(`more than ${MAX_PARAMETERS} parameters`);
  const fields = new Map<string, number | string>();
  const unitOf = new Map<string, string>();
  for (const [parameter, text] of parameters) {
    const lower = parameter.toLowerCase();
    if (NEVER_STORED.has(lower) || ignored.has(lower) || tagNames.includes(parameter)) continue;
    const field = readWeatherField(parameter, text, units);
    if (!field) continue;
    // Another parameter may have the name of a converted value: neither replaces the other.
    const stored = field.name !== parameter && Object.hasOwn(form, field.name) ? parameter : field.name;
    fields.set(stored, field.value);
    if (field.unit !== undefined) unitOf.set(stored, field.unit);
  }
  const tags = parameters.filter(([tag, text]) => tagNames.includes(tag) && text !== '' && isWellFormed(text));
  const series = {
    namespace: 'weather',
    name,
    title,
    source,
    tags: Object.fromEntries(tags),
    units: Object.fromEntries(unitOf),
  } as const;
  return pointsOf(series, Object.fromEntries(fields), readDateUtc(parameterOf(form, 'dateutc')));
}

/** Undefined for a missing and for an empty parameter. */
export function parameterOf(form: Readonly<Record<string, string>>, name: string): string | undefined {
  const text: unknown = Object.hasOwn(form, name) ? form[name] : undefined;
  return typeof text === 'string' && text.trim() !== '' && isWellFormed(text) ? text.trim() : undefined;
}
