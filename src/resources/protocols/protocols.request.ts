import type { WeatherUnits } from '../../protocols/weather-units';

/** A body that the parser of its protocol reads: bytes, or the fields of a form or of JSON. */
export interface ProtocolBody {
  [field: string]: unknown;
}

/** The kind of an event of ChirpStack. */
export interface EventQuery {
  event?: string;
}

/** The parameters of a weather station. */
export interface StationRequest {
  query: Record<string, unknown>;
}

/** The units of a report: SI, unless the path or a parameter says `raw`. */
export function readUnits(inPath: string, parameters: Readonly<Record<string, unknown>>): WeatherUnits {
  return /^(units=)?raw$/i.test(inPath) || parameters.units === 'raw' ? 'raw' : 'si';
}
