/** The hash tag of the platform's own keys: a Redis Cluster keeps all keys of a script on one master. */
export function keyPrefix(redisPrefix: string): string {
  return `{${redisPrefix}}`;
}
