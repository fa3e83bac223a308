import { parseUrl } from '../domain/parse-url';

/** Where Redis is: one server, or the nodes of a cluster, of which each knows all others. */
export interface RedisAddress {
  nodes: readonly { host: string; port: number }[];
  isCluster: boolean;
  isTls: boolean;
  username: string | undefined;
  password: string | undefined;
}

const DEFAULT_PORT = 6379;
const SCHEME = /^rediss?:\/\//;

/**
 * Reads `redis://user:password@host:port`; several hosts, separated by commas, are nodes of a Redis Cluster. Undefined when
 * it is not such a URL. A cluster has no numbered databases, so nothing but options may follow its hosts.
 */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  const [scheme] = SCHEME.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  const rest = text.slice(scheme.length);
  const at = rest.lastIndexOf('@') + 1;
  const urls = rest
    .slice(at)
    .split(',')
    .map((host) => parseUrl(`${scheme}${rest.slice(0, at)}${host}`));
  const nodes = urls.flatMap((url) =>
    url?.hostname ? [{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || DEFAULT_PORT) }] : [],
  );
  const [first] = urls;
  if (!first || nodes.length < urls.length) return undefined;
  const isCluster = nodes.length > 1;
  if (isCluster && urls.some((url) => url && !['', '/'].includes(url.pathname))) return undefined;
  return {
    nodes,
    isCluster,
    isTls: scheme === 'rediss://',
    username: first.username === '' ? undefined : decodeURIComponent(first.username),
    password: first.password === '' ? undefined : decodeURIComponent(first.password),
  };
}
