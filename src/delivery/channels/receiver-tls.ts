import tls, { type SecureContext } from 'node:tls';
import type { AddressGuard } from './address-guard';

const PROBE_TIMEOUT_MS = 2_000;

/**
 * The authorities that webhooks trust: those that Node trusts, and the operator's own. Undefined, which means Node's,
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

/**
 * True if a port that closed a plain HTTP request accepts TLS: the URL should then use https. Many servers close such a
 * connection without a response. Sends only the beginning of a connection, and trusts nothing that it receives.
 */
export async function takesTls({ hostname, port }: URL, guard: AddressGuard, signal: AbortSignal): Promise<boolean> {
  const [first] = await guard.check(hostname);
  const socket = tls.connect({ host: first?.address, port: Number(port || 80), rejectUnauthorized: false });
  const end = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('secureConnect', () => resolve(true));
      for (const event of ['error', 'close']) socket.once(event, () => resolve(false));
      end.addEventListener('abort', () => resolve(false), { once: true });
      if (end.aborted) resolve(false);
    });
  } finally {
    socket.on('error', () => {}); // later errors do not matter
    socket.destroy();
  }
}
