import { readChirpStack } from './chirpstack';
import { readEcowitt } from './ecowitt';
import type { SeriesPoint } from './series';
import { readTheThingsStack } from './the-things-stack';
import { readWeatherUnderground } from './weather-underground';
import type { WeatherUnits } from './weather-units';

/** A message of a device or its server, as its request carries it. */
export interface ProtocolMessage {
  /** The body, parsed if it is JSON or a form, otherwise its bytes. */
  body: unknown;
  query: Readonly<Record<string, unknown>>;
  /** The units in which a weather station is stored. */
  units: WeatherUnits;
}

/**
 * Reads the points of a message; none if the message reports nothing to store. Throws UnreadableMessage if it can never
 * be read.
 */
export type ReadMessage = (message: ProtocolMessage) => SeriesPoint[];

/** The protocols whose messages are single requests, by name. */
export const PROTOCOLS = {
  ttn: ({ body }) => readTheThingsStack(body),
  chirpstack: ({ body, query }) => readChirpStack(String(query.event ?? ''), body),
  ecowitt: ({ body, units }) => readEcowitt(textsIn(body), { units }),
  wunderground: ({ query, units }) => readWeatherUnderground(textsIn(query), { units }),
} satisfies Record<string, ReadMessage>;

export type ProtocolName = keyof typeof PROTOCOLS;

/** The parameters that are texts. */
function textsIn(parameters: unknown): Record<string, string> {
  const entries = Object.entries(Object(parameters)).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries) as Record<string, string>; // by the filter
}
