import { parseUrl } from '../../platform/parse-url';

const MAX_URL_LENGTH = 2_000;
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1_883, 'mqtts:': 8_883, 'ws:': 80, 'wss:': 443 };

export interface BrokerAddress {
  /** The host as it is checked and resolved. */
  host: string;
  port: number;
  isTls: boolean;
  /** URL; undefined for plain TCP. */
  webSocket: string | undefined;
}

/** The reason follows the field; null for a valid URL. */
export function whyNoBroker(text: string): string | null {
  if (text.length > MAX_URL_LENGTH) return `must be at most ${MAX_URL_LENGTH} characters`;
  const url = parseUrl(text);
  if (!url) return 'must be a URL';
  if (BREAKING.test(text.trim())) return 'must not hold line breaks or control characters';
  if (PORTS[url.protocol] === undefined) return 'must be a URL with mqtt://, mqtts://, ws:// or wss://';
  if (url.username !== '' || url.password !== '') return 'must not hold credentials: there are fields for these';
  if (hostOf(url) === undefined) return 'must name a host';
  if (url.port === '0') return 'must name a port';
  const isPlain = url.protocol.startsWith('mqtt');
  if (isPlain && (!/^\/?$/.test(url.pathname) || url.search !== '')) return 'must have no path: topics are separate';
  return url.hash === '' ? null : 'must have no fragment';
}

/** Throws for a text that `whyNoBroker` refuses. */
export function readBroker(text: string): BrokerAddress {
  const url = parseUrl(text);
  const [host, port] = url ? [hostOf(url), PORTS[url.protocol]] : [];
  if (!url || host === undefined || port === undefined) throw new Error('the URL of a broker cannot be read');
  return {
    host,
    port: Number(url.port || port),
    isTls: url.protocol === 'mqtts:' || url.protocol === 'wss:',
    webSocket: url.protocol.startsWith('ws') ? url.href : undefined,
  };
}

/** `host:port` and whether it is encrypted: the password is bound to this. */
export function receiverOfBroker(text: string): string {
  const { host, port, isTls } = readBroker(text);
  return `${host}:${port}${isTls ? ' by TLS' : ''}`;
}

/** Returns lower case and ASCII, with one spelling of an IP address. */
function hostOf({ hostname }: URL): string | undefined {
  return parseUrl(`http://${hostname}/`)?.hostname || undefined;
}
