import type { SeriesPoint } from './series';
import { UnreadableMessage } from './unreadable';
import { parameterOf, type WeatherOptions, weatherPoints } from './weather-station';

const TAG_NAMES = ['model', 'stationtype', 'freq'];
/** May be in the address. */
const IGNORED: ReadonlySet<string> = new Set(['units']);

/** `PASSKEY` is the series. Throws UnreadableMessage if it is missing or `dateutc` is no date. */
export function readEcowitt(form: Readonly<Record<string, string>>, options: WeatherOptions): SeriesPoint[] {
  const name = parameterOf(form, 'PASSKEY');
  if (name === undefined) throw new UnreadableMessage('PASSKEY is missing');
  const title = parameterOf(form, 'model') ?? parameterOf(form, 'stationtype') ?? 'weather station';
  return weatherPoints({ name, title, source: 'ecowitt', tagNames: TAG_NAMES, ignored: IGNORED }, form, options);
}
