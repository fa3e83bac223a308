import type { ErrorBody } from '../../edge/error.view';
import { protocolRouteOf } from '../protocol-routes';

/** InfluxDB's codes by status (https://docs.influxdata.com/influxdb/v2/api/). */
const INFLUX_CODES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not found'],
  [413, 'request too large'],
  [415, 'unsupported media type'],
  [429, 'too many requests'],
  [500, 'internal error'],
  [503, 'unavailable'],
]);

/** Agents have keys, and no sessions. */
const NO_KEY = 'a key is required, as Authorization: Token …';

function influxError(status: number, message: string): object {
  return { code: INFLUX_CODES.get(status) ?? 'invalid', message, error: message };
}

/** The form that a protocol's clients expect; undefined for the API's form. */
export function protocolError(
  path: string | undefined,
  status: number,
  { error, code }: ErrorBody,
): object | string | undefined {
  const { errors } = (path !== undefined && protocolRouteOf(path)) || {};
  if (errors === 'influx') return influxError(status, code === 'no_session' ? NO_KEY : error);
  return errors === 'text' ? `${error}\n` : undefined;
}
