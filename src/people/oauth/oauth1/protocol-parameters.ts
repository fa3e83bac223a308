import type { Parameter } from '../../../platform/oauth1/parameters';
import type { Problem } from '../../../platform/oauth1/problem';
import { isSignatureMethod, SIGNATURE_METHODS, type SignatureMethod } from './signature';

/** Maximum error of a client's clock. */
export const CLOCK_TOLERANCE_SECONDS = 300;
const MAX_LENGTH = 1_000;

/** RFC 5849 section 3.1. */
export interface ProtocolParameters {
  consumerKey: string;
  /** Undefined or empty without a token. */
  token: string | undefined;
  signatureMethod: SignatureMethod;
  signature: string;
  timestamp: string;
  nonce: string;
  callback: string | undefined;
  verifier: string | undefined;
}

const REQUIRED = [
  'oauth_consumer_key',
  'oauth_signature_method',
  'oauth_signature',
  'oauth_timestamp',
  'oauth_nonce',
] as const;

type Outcome<Value> = { ok: true; value: Value } | { ok: false; problem: Problem };

/** Makes all checks that need no secrets. */
export function readProtocolParameters(parameters: readonly Parameter[], nowMs: number): Outcome<ProtocolParameters> {
  const found = parametersByName(parameters);
  if (!found.ok) return found;
  const given = found.value;
  const absent = REQUIRED.filter((name) => !given.get(name));
  if (absent.length > 0) {
    return refused('parameter_absent', `send ${absent.join(', ')}`, ['oauth_parameters_absent', absent.join('&')]);
  }
  const signatureMethod = (given.get('oauth_signature_method') ?? '').toUpperCase();
  if (!isSignatureMethod(signatureMethod)) {
    return refused('signature_method_rejected', `oauth_signature_method must be ${SIGNATURE_METHODS.join(' or ')}`);
  }
  const problem =
    versionProblem(given.get('oauth_version')) ?? timestampProblem(given.get('oauth_timestamp') ?? '', nowMs);
  if (problem) return { ok: false, problem };
  return {
    ok: true,
    value: {
      consumerKey: given.get('oauth_consumer_key') ?? '',
      token: given.get('oauth_token'),
      signatureMethod,
      signature: given.get('oauth_signature') ?? '',
      timestamp: given.get('oauth_timestamp') ?? '',
      nonce: given.get('oauth_nonce') ?? '',
      callback: given.get('oauth_callback'),
      verifier: given.get('oauth_verifier'),
    },
  };
}

/** A name at most once. */
function parametersByName(parameters: readonly Parameter[]): Outcome<ReadonlyMap<string, string>> {
  const given = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (!name.startsWith('oauth_')) continue;
    const why = given.has(name) ? 'is there twice' : value.length > MAX_LENGTH ? 'is too long' : null;
    if (why) return refused('parameter_rejected', `${name} ${why}`, ['oauth_parameters_rejected', name]);
    given.set(name, value);
  }
  return { ok: true, value: given };
}

function versionProblem(version: string | undefined): Problem | null {
  if (version === undefined || version === '1.0') return null;
  return {
    name: 'version_rejected',
    advice: 'oauth_version must be 1.0 or left out',
    more: [['oauth_acceptable_versions', '1.0-1.0']],
  };
}

function timestampProblem(timestamp: string, nowMs: number): Problem | null {
  const now = Math.floor(nowMs / 1000);
  if (/^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - now) <= CLOCK_TOLERANCE_SECONDS) return null;
  const range = `${now - CLOCK_TOLERANCE_SECONDS}-${now + CLOCK_TOLERANCE_SECONDS}`;
  return {
    name: 'timestamp_refused',
    advice:
      'oauth_timestamp must be the present time in unix seconds, right to 5 minutes: check the clock of the client',
    more: [['oauth_acceptable_timestamps', range]],
  };
}

function refused(
  name: Problem['name'],
  advice: string,
  more?: readonly [name: string, value: string],
): { ok: false; problem: Problem } {
  return { ok: false, problem: { name, advice, ...(more ? { more: [more] } : {}) } };
}
