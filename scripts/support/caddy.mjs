import { aptInstall, findBinary, mayInstall } from './binaries.mjs';

/** Installs Caddy, by which the Caddyfile is tested, where there is none and we may. */
export function ensureCaddy(log) {
  if (!findBinary('caddy') && mayInstall()) aptInstall(['caddy'], log);
}
