import type { Request } from 'express';
import { LruCache } from '../platform/lru-cache';
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
  /** Empty for requests that only read. */
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
  /^\/(?:|docs|llms\.txt|mcp|console|pages|oauth2?|admin|\.well-known|unsubscribe|confirm|acknowledge|resetPassword|login\/oidc)(?:\/|$)/i;
/** What a road holds besides three copies of its path, in characters. */
const ROAD_CHARACTERS = 400;
/** A device sends to one path. */
const MOST_CHARACTERS = 10_000 * ROAD_CHARACTERS;

/** Set while the pipeline handles the request. */
export function roadOf({ res }: Request): Road {
  if (!res) throw new Error('the request is not in the pipeline');
  return res.locals.road;
}

/** Roads of operations are kept: devices ask for the same ones again and again. */
export class Roads {
  private readonly kept = new LruCache<string, Road>(MOST_CHARACTERS, (_key, { path }) => weightOf(path));

  constructor(private readonly parts: RoadParts) {}

  of(method: string, url: string): Road {
    const cut = url.indexOf('?');
    const path = cut < 0 ? url : url.slice(0, cut);
    const key = `${method} ${path}`;
    const known = this.kept.find(key);
    if (known) return known;
    const road = this.find(method, path);
    if (road.matched) this.kept.set(key, road);
    return road;
  }

  private find(method: string, written: string): Road {
    const { findProbe, findFile, operations } = this.parts;
    const probe = findProbe(method, written);
    const isInternal = probe !== undefined || isBoard(written);
    const file = isInternal ? undefined : findFile(method, written);
    const asked = readPath(written);
    const matched = operations.find(method, asked.path);
    const isRead = method === 'GET' || method === 'HEAD';
    const body = isRead ? {} : operations.bodyTraits(matched ?? {}, asked.path);
    const protocol = protocolRouteOf(asked.path);
    return { ...asked, probe, isInternal, file, protocol, matched, isPage: PAGES.test(asked.path), body };
  }
}

function weightOf(path: string): number {
  return 3 * path.length + ROAD_CHARACTERS;
}
