import type { Request } from 'express';
import { isBoard } from './board';
import { type PathAsked, readPath } from './middlewares/legacy-requests';
import type { BodyTraits, MatchedOperation, Operations } from './operations';
import type { Probe } from './probes';
import { type ProtocolRoute, protocolRouteOf } from './protocol-routes';
import type { SendFile } from './static-document';

/** What follows from the method and the path of a request alone. */
export interface Road extends PathAsked {
  probe: Probe | undefined;
  /** Probes and the board. */
  isInternal: boolean;
  file: SendFile | undefined;
  protocol: ProtocolRoute | undefined;
  matched: MatchedOperation | undefined;
  isPage: boolean;
  body: BodyTraits;
}

export interface RoadParts {
  /** Paths count in their exact spelling. */
  findProbe: (method: string, path: string) => Probe | undefined;
  findFile: (method: string, path: string) => SendFile | undefined;
  operations: Operations;
}

/** First segments of pages' paths, some also of operations. */
const PAGES =
  /^\/(?:|docs|console|pages|oauth2?|admin|\.well-known|unsubscribe|confirm|acknowledge|resetPassword)(?:\/|$)/i;
/** A device sends to one path. */
const MOST_KEPT = 10_000;
const LONGEST_KEPT = 100;

/** Set while the pipeline handles the request. */
export function roadOf({ res }: Request): Road {
  if (!res) throw new Error('the request is not in the pipeline');
  return res.locals.road;
}

/** Roads of operations are kept: devices ask for the same ones again and again. */
export class Roads {
  private readonly kept = new Map<string, Map<string, Road>>();
  private count = 0;

  constructor(private readonly parts: RoadParts) {}

  of(method: string, url: string): Road {
    const cut = url.indexOf('?');
    const path = cut < 0 ? url : url.slice(0, cut);
    const known = this.kept.get(method)?.get(path);
    if (known) return known;
    const road = this.find(method, path);
    if (road.matched && path.length <= LONGEST_KEPT) this.keep(method, path, road);
    return road;
  }

  private find(method: string, written: string): Road {
    const { findProbe, findFile, operations } = this.parts;
    const probe = findProbe(method, written);
    const isInternal = probe !== undefined || isBoard(written);
    const file = isInternal ? undefined : findFile(method, written);
    const asked = readPath(written);
    const matched = operations.find(method, asked.path);
    const body = operations.bodyTraits(matched ?? {}, asked.path);
    const protocol = protocolRouteOf(asked.path);
    return { ...asked, probe, isInternal, file, protocol, matched, isPage: PAGES.test(asked.path), body };
  }

  private keep(method: string, path: string, road: Road): void {
    if (this.count >= MOST_KEPT) {
      this.kept.clear();
      this.count = 0;
    }
    const ofMethod = this.kept.get(method) ?? new Map<string, Road>();
    ofMethod.set(path, road);
    this.kept.set(method, ofMethod);
    this.count += 1;
  }
}
