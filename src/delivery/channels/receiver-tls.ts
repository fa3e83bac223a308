import tls, { type SecureContext } from 'node:tls';
import type { AddressGuard } from './address-guard';

const PROBE_TIMEOUT_MS = 2_000;

/** Whom webhooks trust: the authorities that Node trusts, and the operator's own. Undefined, which means Node's, without any. */
export function trustWith(own: readonly string[]): SecureContext | undefined {
  return own.length === 0 ? undefined : tls.createSecureContext({ ca: [...trustedByNode(), ...own] });
}

/** With those of NODE_EXTRA_CA_CERTS, where this Node can say them: from 22.15 on. */
function trustedByNode(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/**
 * Whether a port that cut a request by plain HTTP takes TLS: then the URL should say https. Many servers say no word about it. Sends
 * nothing but the beginning of a connection, and trusts nothing that comes.
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
    socket.on('error', () => {}); // what comes after this is of no interest
    socket.destroy();
  }
}
