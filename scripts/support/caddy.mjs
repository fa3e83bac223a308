import { aptInstall, findBinary, mayInstall } from './binaries.mjs';

/** Installs Caddy, which the test of the Caddyfile uses, if it is missing and we may. */
export function ensureCaddy(log) {
  if (!findBinary('caddy') && mayInstall()) aptInstall(['caddy'], log);
}
