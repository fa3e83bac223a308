import { aptInstall, findBinary, mayInstall } from './binaries.mjs';

/** Programs that write to the platform in tests, by their Debian packages: downloads of about 10 MB, installed in seconds. */
const AGENTS = [
  ['rtl_433', 'rtl-433'],
  ['influx', 'influxdb-client'],
  ['influxd', 'influxdb'],
  ['icinga2', 'icinga2-bin'],
  ['mosquitto', 'mosquitto'],
  ['mosquitto_pub', 'mosquitto-clients'],
];

/** Installs the missing agents if we may. The tests of an agent that remains missing are skipped. */
export function ensureAgents(log) {
  const missing = AGENTS.filter(([program]) => !findBinary(program)).map(([, name]) => name);
  if (missing.length > 0 && mayInstall()) aptInstall(missing, log);
}
