export const CONNECTION_CUT = 'connection cut';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: CONNECTION_CUT,
  ECONNECTION: CONNECTION_CUT,
  EPIPE: CONNECTION_CUT,
  UND_ERR_SOCKET: CONNECTION_CUT,
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EDNS: 'host not found',
  EHOSTUNREACH: 'host cannot be reached',
  ENETUNREACH: 'host cannot be reached',
  EAUTH: 'the mail server refused our login',
  ETLS: 'no secure connection to the mail server',
};

const OF_TLS = /^(CERT_|ERR_TLS|DEPTH_|UNABLE_|SELF_SIGNED|ERR_SSL)/;
const OF_HTTP = /^(HPE_|UND_ERR_)/;

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED|CERT_UNTRUSTED/,
    'its certificate is by an authority that is not trusted: give the certificate of the authority as ca_certificate, or the operator in DELIVERY_CA_FILE; or the server does not send its intermediate certificates',
  ],
  [/ALTNAME/, 'its certificate is for other names: use one of these, or give it a certificate for this name'],
  [/EXPIRED/, 'its certificate has expired: renew it'],
  [/NOT_YET_VALID/, 'its certificate is not valid yet: compare the clocks'],
];

function adviceFor(code: string): string {
  const advice = ADVICE.find(([codes]) => codes.test(code))?.[1];
  return advice === undefined ? '' : ` (${advice})`;
}

/** The error code decides. The message may contain addresses, credentials and queries. */
export function describeFailure(code: string): string {
  if (Object.hasOwn(REASONS, code)) return String(REASONS[code]);
  if (OF_TLS.test(code)) return `tls: ${code}${adviceFor(code)}`;
  if (OF_HTTP.test(code)) return `http: ${code}`;
  return /^[A-Z_]+$/.test(code) ? code : 'connection failed';
}
