import { parseUrl } from './parse-url';

/** One server; nodes of a cluster, each of which knows all others; or sentinels that know the master. */
export interface RedisAddress {
  nodes: readonly { host: string; port: number }[];
  isCluster: boolean;
  /** The sentinels' name for the master. */
  masterName: string | undefined;
  isTls: boolean;
  username: string | undefined;
  password: string | undefined;
}

const DEFAULT_PORT = 6379;
const SENTINEL_PORT = 26379;
const SCHEME = /^rediss?:\/\//;

/**
 * `redis://user:password@host:port`. Several hosts, separated by commas, are nodes of a Redis Cluster, or sentinels
 * with `?sentinel=NAME`; neither has numbered databases. Undefined for any other text.
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
  const masterName = urls.at(-1)?.searchParams.get('sentinel') || undefined;
  const defaultPort = masterName === undefined ? DEFAULT_PORT : SENTINEL_PORT;
  const nodes = urls.flatMap((url) =>
    url?.hostname ? [{ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || defaultPort) }] : [],
  );
  const [first] = urls;
  if (!first || nodes.length < urls.length) return undefined;
  const isOne = nodes.length === 1 && masterName === undefined;
  if (!isOne && urls.some((url) => url && !['', '/'].includes(url.pathname))) return undefined;
  return {
    nodes,
    isCluster: !isOne && masterName === undefined,
    masterName,
    isTls: scheme === 'rediss://',
    username: first.username === '' ? undefined : decodeURIComponent(first.username),
    password: first.password === '' ? undefined : decodeURIComponent(first.password),
  };
}
