import type { IncomingHttpHeaders } from 'node:http';
import { bytesOf } from '../../edge/body-bytes';
import { PlatformError } from '../../platform/errors';
import { isRemoteWriteV2 } from '../protocols/remote-write';
import type { WeatherUnits } from '../protocols/weather-units';

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

/** The headers of a message. */
export interface HeadedRequest {
  headers: IncomingHttpHeaders;
}

/** The bytes of a message of Prometheus; 415 for another version than 1. */
export function readVersion1(body: object, { headers }: HeadedRequest): Buffer {
  if (!isRemoteWriteV2(headers)) return bytesOf(body).bytes;
  throw new PlatformError(415, 'unreadable_type', 'send version 1.0 of remote write');
}

/** The units of a report: SI, unless the path or a parameter says `raw`. */
export function readUnits(inPath: string, parameters: Readonly<Record<string, unknown>>): WeatherUnits {
  return /^(units=)?raw$/i.test(inPath) || parameters.units === 'raw' ? 'raw' : 'si';
}
