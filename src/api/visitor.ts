import type { Request } from 'express';
import type { Visitor } from '../platform/caller';
import { networkOf } from '../platform/network-of';

export function visitorOf(request: Request): Visitor {
  const address = request.ip ?? request.socket.remoteAddress ?? 'unknown';
  return { address, network: networkOf(address), secure: request.secure };
}
