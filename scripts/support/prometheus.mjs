import { aptInstall, findBinary, mayInstall } from './binaries.mjs';

/** Installs Prometheus, which sends to the platform in a test of remote write, if it is missing and we may. */
export function ensurePrometheus(log) {
  if (!findBinary('prometheus') && mayInstall()) aptInstall(['prometheus'], log);
}
