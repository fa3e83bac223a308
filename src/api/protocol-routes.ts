/** What a protocol of agents or devices expects of HTTP, where the API itself does otherwise. */
export interface ProtocolRoute {
  /** Matches its paths, without a query. */
  paths: RegExp;
  /** Set if a key may also stand in the headers in the way of InfluxDB, and in the address. */
  keys?: KeyInAddress;
  /** The form of errors: an object of InfluxDB, or a line of text. */
  errors?: 'influx' | 'text';
  /** The path whose operation takes all of its paths. */
  operation?: string;
  /** True if its requests carry data points. */
  isUpload?: boolean;
  /** True if its parser reads the body as bytes. */
  isInBytes?: boolean;
  /** A content encoding that its parser reads and bounds. */
  encoding?: string;
}

/** Where a key may stand in the address. */
interface KeyInAddress {
  /** The name of a parameter. */
  inQuery?: string;
  /** The first group matches the key. */
  inPath?: RegExp;
  /** True if only a key that can do nothing but add data may stand there, because many programs log addresses. */
  isExposed?: boolean;
}

/** The first line that matches counts. */
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
  // Servers append a path of their own for each kind of message.
  { paths: /^\/in\/ttn\//i, operation: '/in/ttn', keys: {}, isUpload: true },
  { paths: /^\/in\//i, keys: {}, isUpload: true },
  { paths: /^\/weatherstation\//i, keys: { inQuery: 'PASSWORD', isExposed: true }, errors: 'text', isUpload: true },
];

/** What a protocol expects at a path; undefined for paths of the API. */
export function protocolRouteOf(path: string): ProtocolRoute | undefined {
  return ROUTES.find(({ paths }) => paths.test(path));
}
