import { releaseVersion } from '../../platform/version';
import type { StoredEntry } from '../jobs/archive-parts';

/** Changes when an older platform could not read the file. */
export const FORMAT = 1;

const README = `This is everything of one account of a sensor data platform.

manifest.json        what the file holds, and what made it
account.json         the account, without its password
sensors.ndjson       the sensors, with their labels, devices and retention
services.ndjson      what computes virtual sensors
environments.ndjson  places, and the sensors in them
groups.ndjson        the groups that the account may edit; their members by name
dashboards.ndjson    dashboards, without public links
rules.yaml           notifications, triggers and mutes: a document for each rule set, then all others
data/<id>.ndjson.gz  the data points of the sensor <id>, by date (unix seconds)
alerts.ndjson        the alerts of the triggers
audit.ndjson         the history of the account
secrets.enc          only if asked for: values of headers and secrets, encrypted with the passphrase (scrypt, AES-256-GCM)

Lines of .ndjson are JSON. "zcat data/*.gz" shows the data points.

POST /imports reads this file, into this or another account, by names: what is there already is kept. Ids are new ones.
It does not write account.json, members of groups, alerts.ndjson and audit.ndjson, which are records to read. Not in the
file are: keys, applications, shares, notes, floor plans, sources of MQTT, names of series, training data of services,
notifications of single sensors and of events, subscriptions of browsers.
`;

export function readMe(): string {
  return README;
}

export function manifestOf(entries: readonly StoredEntry[], createdMs: number): string {
  const manifest = {
    ...{ format: FORMAT, platform_version: releaseVersion(), created: new Date(createdMs).toISOString() },
    entries: entries.map(({ name, lines, bytes }) => ({ name, lines, bytes })),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
