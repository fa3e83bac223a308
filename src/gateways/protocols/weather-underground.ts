import type { SeriesPoint } from './series';
import { UnreadableMessage } from './unreadable';
import { parameterOf, type WeatherOptions, weatherPoints } from './weather-station';

const TAG_NAMES = ['softwaretype'];
const IGNORED: ReadonlySet<string> = new Set(['action', 'realtime', 'rtfreq', 'units']);

/** `ID` is the series. Throws UnreadableMessage if it is missing or `dateutc` is no date. */
export function readWeatherUnderground(
  query: Readonly<Record<string, string>>,
  options: WeatherOptions,
): SeriesPoint[] {
  const name = parameterOf(query, 'ID');
  if (name === undefined) throw new UnreadableMessage('ID is missing');
  const station = { name, title: name, source: 'wunderground', tagNames: TAG_NAMES, ignored: IGNORED } as const;
  return weatherPoints(station, query, options);
}
