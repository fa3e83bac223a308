/** Where a protocol expects other HTTP than the API. */
export interface ProtocolRoute {
  /** Without a query. */
  paths: RegExp;
  /** Where a key may stand, besides headers in the way of InfluxDB. */
  keys?: KeyInAddress;
  /** An object of InfluxDB, or a line of text. */
  errors?: 'influx' | 'text';
  /** The operation of all these paths. */
  operation?: string;
  /** Requests carry data points. */
  isUpload?: boolean;
  /** The parser reads bytes. */
  isInBytes?: boolean;
  /** A content encoding that the parser reads and bounds. */
  encoding?: string;
}

interface KeyInAddress {
  /** Name of a parameter. */
  inQuery?: string;
  /** The first group is the key. */
  inPath?: RegExp;
  /** Many programs log addresses, so only keys that can do nothing but add data may stand there. */
  isExposed?: boolean;
}

/** The first match counts. */
const ROUTES: readonly ProtocolRoute[] = [
  {
    paths: /^\/(api\/v2\/)?write$/i,
    keys: { inQuery: 'p', isExposed: true },
    errors: 'influx',
    isUpload: true,
    isInBytes: true,
  },
  { paths: /^\/query$/i, keys: { inQuery: 'p', isExposed: true }, errors: 'influx' },
  { paths: /^\/(ping|health)$/i, errors: 'influx' },
  { paths: /^\/api\/v1\/write$/i, keys: {}, errors: 'text', isUpload: true, isInBytes: true, encoding: 'snappy' },
  // Stations can be given a path, but no header; some clients of InfluxDB 1 only a parameter.
  { paths: /^\/in\/ecowitt\//i, keys: { inPath: /^\/in\/ecowitt\/([^/]+)/i, isExposed: true }, isUpload: true },
  // Servers append a path for each kind of message.
  { paths: /^\/in\/ttn\//i, operation: '/in/ttn', keys: {}, isUpload: true },
  { paths: /^\/in\//i, keys: {}, isUpload: true },
  { paths: /^\/weatherstation\//i, keys: { inQuery: 'PASSWORD', isExposed: true }, errors: 'text', isUpload: true },
];

/** Undefined for paths of the API. */
export function protocolRouteOf(path: string): ProtocolRoute | undefined {
  return ROUTES.find(({ paths }) => paths.test(path));
}
