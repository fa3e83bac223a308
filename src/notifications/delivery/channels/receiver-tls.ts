import tls from 'node:tls';
import type { AddressGuard } from '../../../outbound/address-guard';

const PROBE_TIMEOUT_MS = 2_000;

/**
 * Many TLS ports close a plain HTTP request without a response: the URL should then use https. Trusts nothing that it
 * receives.
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
