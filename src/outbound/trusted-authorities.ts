import tls, { type SecureContext } from 'node:tls';

/**
 * The authorities that connections to hosts of users trust: those that Node trusts, and the operator's own. Undefined, which means Node's,
 * if the operator has none.
 */
export function trustWith(own: readonly string[]): SecureContext | undefined {
  return own.length === 0 ? undefined : tls.createSecureContext({ ca: [...trustedByNode(), ...own] });
}

/** Includes the authorities of NODE_EXTRA_CA_CERTS if this Node can list them (22.15 and later). */
function trustedByNode(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}
