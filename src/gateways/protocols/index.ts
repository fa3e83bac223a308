import { readChirpStack } from './chirpstack';
import { readEcowitt } from './ecowitt';
import type { SeriesPoint } from './series';
import { readTheThingsStack } from './the-things-stack';
import { readWeatherUnderground } from './weather-underground';
import type { WeatherUnits } from './weather-units';

export interface ProtocolMessage {
  /** Parsed if it is JSON or a form, otherwise bytes. */
  body: unknown;
  query: Readonly<Record<string, unknown>>;
  units: WeatherUnits;
}

/** Empty if there is nothing to store. Throws UnreadableMessage if the message can never be read. */
export type ReadMessage = (message: ProtocolMessage) => SeriesPoint[];

/** Protocols whose messages are single requests. */
export const PROTOCOLS = {
  ttn: ({ body }) => readTheThingsStack(body),
  chirpstack: ({ body, query }) => readChirpStack(String(query.event ?? ''), body),
  ecowitt: ({ body, units }) => readEcowitt(textsIn(body), { units }),
  wunderground: ({ query, units }) => readWeatherUnderground(textsIn(query), { units }),
} satisfies Record<string, ReadMessage>;

export type ProtocolName = keyof typeof PROTOCOLS;

function textsIn(parameters: unknown): Record<string, string> {
  const entries = Object.entries(Object(parameters)).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries) as Record<string, string>; // by the filter
}
