import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A program of a Debian package. */
export interface Program {
  command: string;
  /** An argument with which it only says something about itself. */
  probe: string;
  debian: string;
}

export const RTL_433: Program = { command: 'rtl_433', probe: '-V', debian: 'rtl-433' };
export const INFLUX_SHELL: Program = { command: 'influx', probe: '-version', debian: 'influxdb-client' };
export const INFLUXD: Program = { command: 'influxd', probe: 'version', debian: 'influxdb' };
export const MOSQUITTO_PUB: Program = { command: 'mosquitto_pub', probe: '--help', debian: 'mosquitto-clients' };
export const ICINGA: Program = { command: 'icinga2', probe: '--version', debian: 'icinga2-bin' };

/** Skips the tests of a `before` hook if the machine has no such program, and says so. */
export async function skipWithout(context: Mocha.Context, { command, probe, debian }: Program): Promise<void> {
  const isThere = await promisify(execFile)(command, [probe]).then(
    () => true,
    // Some answer every such question with a status of failure.
    ({ code }) => code !== 'ENOENT',
  );
  if (isThere) return;
  console.log(`      skipped: ${command} is not installed (apt-get install ${debian})`);
  context.skip();
}
