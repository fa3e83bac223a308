import { RefusedArchive } from '../refused-archive';

const NAMES: ReadonlySet<string> = new Set([
  ...['README.txt', 'manifest.json', 'account.json', 'rules.yaml', 'secrets.enc', 'sensors.ndjson', 'services.ndjson'],
  ...['environments.ndjson', 'groups.ndjson', 'dashboards.ndjson', 'alerts.ndjson', 'audit.ndjson'],
]);
const DATA = /^data\/([1-9]\d{0,14})\.ndjson\.gz$/;

export function dataEntry(sensorId: string): string {
  return `data/${sensorId}.ndjson.gz`;
}

/** The id in the name of a file of data points. */
export function sensorOfData(name: string): string | undefined {
  return DATA.exec(name)?.[1];
}

/** Throws RefusedArchive. */
export function requireKnownName(name: string): void {
  if (NAMES.has(name) || DATA.test(name)) return;
  throw new RefusedArchive(name, 'an export has no entry of this name');
}
