import net, { isIP, type LookupFunction } from 'node:net';
import { Duplex, pipeline } from 'node:stream';
import tls, { type SecureContext } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import type { CheckedAddress } from '../../outbound/address-guard';
import type { BrokerAddress } from './broker-url';
import { type LargeMessage, PacketLimit } from './packet-limit';

export const MAX_PACKET_BYTES = 1_048_576;
const HANDSHAKE_MS = 10_000;

export interface BrokerRoute {
  address: BrokerAddress;
  addresses: CheckedAddress[];
  /** Undefined for Node's authorities. */
  secureContext: SecureContext | undefined;
  onLarge(message: LargeMessage): void;
}

/** Opens TCP, TLS or a WebSocket, without packets that are too large. */
export function openBrokerStream(route: BrokerRoute): Duplex {
  const socket =
    route.address.webSocket === undefined ? openSocket(route) : openWebSocket(route, route.address.webSocket);
  const limit = new PacketLimit(MAX_PACKET_BYTES, route.onLarge);
  const stream = Duplex.from({ readable: limit, writable: socket });
  // However one of them ends, the whole connection ends.
  pipeline(socket, limit, (error) => stream.destroy(error ?? undefined));
  return stream;
}

function openSocket(route: BrokerRoute): Duplex {
  const { host, port, isTls } = route.address;
  const where = { host: host.replace(/^\[|\]$/g, ''), port, lookup: lookupIn(route.addresses) };
  return isTls ? tls.connect({ ...where, ...tlsOf(route) }) : net.connect(where);
}

function openWebSocket(route: BrokerRoute, url: string): Duplex {
  const socket = new WebSocket(url, ['mqtt'], {
    lookup: lookupIn(route.addresses),
    maxPayload: 2 * MAX_PACKET_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
    handshakeTimeout: HANDSHAKE_MS,
    ...(route.address.isTls && tlsOf(route)),
  });
  return createWebSocketStream(socket);
}

function tlsOf({ address: { host }, secureContext }: BrokerRoute) {
  const isName = isIP(host.replace(/^\[|\]$/g, '')) === 0;
  return { ...(isName && { servername: host }), secureContext };
}

/** Always the checked addresses. Node does not call it for a literal address. */
function lookupIn(addresses: CheckedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
}
