import { parseArgs } from 'node:util';
import type { Shell } from '../shell';
import { csvFiles } from './csv-files';
import { homeassistant } from './homeassistant';
import { influxFiles } from './influx-files';
import { isPrecision } from './influx-series';
import { influxServer } from './influx-server';
import type { Source } from './source';
import { thingsBoard } from './thingsboard';

export const IMPORT_USAGE = `Usage: sensors import csv|influx|homeassistant|thingsboard SOURCE

  csv FILE|FOLDER     a column of dates, and a sensor for each other column
  influx FILE|FOLDER  line protocol (influx_inspect export, influxd inspect export-lp), or annotated CSV (influx query --raw)
  influx URL          an InfluxDB 1 that runs; --database NAME
  homeassistant FILE  home-assistant_v2.db: states, and statistics by hour
  thingsboard URL     devices, attributes, telemetry, alarm rules; as the user in THINGSBOARD_USER and THINGSBOARD_PASSWORD

Files may be packed by gzip (.gz). Sensors that are missing are made; a second import finds them again. An import that was
interrupted continues where it was.

  --url URL            address of the platform (SENSORS_URL; http://localhost:8080)
  --dry-run            reads the source and shows what would be made
  --json               prints the result as JSON
  --state FILE         keeps the state of the import in FILE (SOURCE.import.json)
  --into-existing      writes also into sensors that no import has made
  --may-alert          imports also where triggers evaluate the points
  --skip-wrong         leaves out lines that cannot be read, and lists them

  csv: --date-column NAME, --zone ZONE (of dates without one), --decimal-comma, --text (1,5 is no number), --value-column NAME,
       --name-column NAME (a line for each value: the column with the names of the sensors)
  influx: --precision ns|us|ms|s (ns); of a server --database NAME, INFLUX_USER and INFLUX_PASSWORD
  thingsboard: --rules FILE (thingsboard-rules.yaml), --from DATE, --to DATE

The key is read from SENSORS_KEY. Status: 0 if all points were counted on the platform, 1 if not.
`;

const OPTIONS = {
  url: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  state: { type: 'string' },
  'into-existing': { type: 'boolean' },
  'may-alert': { type: 'boolean' },
  'skip-wrong': { type: 'boolean' },
  'date-column': { type: 'string' },
  'name-column': { type: 'string' },
  'value-column': { type: 'string' },
  zone: { type: 'string' },
  'decimal-comma': { type: 'boolean' },
  text: { type: 'boolean' },
  precision: { type: 'string' },
  database: { type: 'string' },
  rules: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export type ImportOptions = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

type Env = Shell['env'];

const SOURCES: Readonly<Record<string, (path: string, options: ImportOptions, env: Env) => Promise<Source>>> = {
  csv: openCsv,
  influx: openInflux,
  homeassistant,
  thingsboard: openThingsBoard,
};

export interface ImportArguments {
  options: ImportOptions;
  /** Undefined if the kind or the source is missing, or the kind is unknown. */
  open: (() => Promise<Source>) | undefined;
}

/** Reads the arguments behind `import`. Throws for unknown options. */
export function readImportArguments(args: readonly string[], env: Env): ImportArguments {
  const { values: options, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [kind = '', path, ...more] = positionals;
  const open = Object.hasOwn(SOURCES, kind) ? SOURCES[kind] : undefined;
  const isRight = open !== undefined && path !== undefined && more.length === 0;
  return { options, open: isRight ? () => open(path, options, env) : undefined };
}

function openCsv(path: string, options: ImportOptions): Promise<Source> {
  return csvFiles(path, {
    ...(options['date-column'] !== undefined && { dateColumn: options['date-column'] }),
    ...(options['name-column'] !== undefined && { nameColumn: options['name-column'] }),
    ...(options['value-column'] !== undefined && { valueColumn: options['value-column'] }),
    ...(options.zone !== undefined && { zone: options.zone }),
    decimalComma: options['decimal-comma'] ?? false,
    isText: options.text ?? false,
    skipWrong: options['skip-wrong'] ?? false,
  });
}

async function openInflux(path: string, options: ImportOptions, env: Env): Promise<Source> {
  const { precision = 'ns', database } = options;
  if (/^https?:/.test(path)) {
    if (database === undefined) throw new Error('--database names the database of the server');
    const { INFLUX_USER: user, INFLUX_PASSWORD: password = '' } = env;
    return influxServer({ url: path, database, ...(user && { user, password }) });
  }
  if (!isPrecision(precision)) throw new Error(`--precision is ns, us, ms or s, not ${precision}`);
  return influxFiles(path, { precision, skipWrong: options['skip-wrong'] ?? false });
}

async function openThingsBoard(url: string, options: ImportOptions, env: Env): Promise<Source> {
  const { THINGSBOARD_USER: user, THINGSBOARD_PASSWORD: password } = env;
  if (!user || password === undefined) throw new Error('THINGSBOARD_USER and THINGSBOARD_PASSWORD are not set');
  const { rules: rulesFile = 'thingsboard-rules.yaml', from, to } = options;
  return thingsBoard({
    url,
    user,
    password,
    rulesFile,
    fromMs: dateMs(from, '--from', 0),
    toMs: dateMs(to, '--to', Date.now()),
  });
}

function dateMs(text: string | undefined, name: string, usual: number): number {
  const ms = text === undefined ? usual : Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`${name} is no date: 2026-11-22 for instance`);
  return ms;
}
