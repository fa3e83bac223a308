import { createClient } from '../../client';
import type { Shell } from '../shell';
import { IMPORT_USAGE, type ImportOptions, readImportArguments } from './import-options';
import { Progress } from './progress';
import { plannedRows, planText, reportText } from './report';
import { type Imported, runImport } from './run-import';
import { Sensors } from './sensors';
import type { Source } from './source';
import { StateFile } from './state-file';
import { verify } from './verify';

/** A platform that restarts is waited for, for some minutes. */
const TRIES = 12;

/** Runs `import csv FILE` and the like. Returns the status of the process; throws for a source that cannot be read. */
export async function importData(args: readonly string[], shell: Shell): Promise<number> {
  const { options, open } = readImportArguments(args, shell.env);
  if (options.help || !open) {
    shell[options.help ? 'stdout' : 'stderr'].write(IMPORT_USAGE);
    return options.help ? 0 : 1;
  }
  const source = await open();
  return options['dry-run'] ? plan(source, options, shell) : carryOver(source, options, shell);
}

async function plan(source: Source, options: ImportOptions, shell: Shell): Promise<number> {
  const { client, platform } = connect(options, shell);
  const sensors = new Sensors(client, source.kind, { intoExisting: false, mayAlert: true });
  await sensors.load();
  const imported = await runImport({
    client,
    source,
    sensors,
    progress: new Progress(shell.stderr),
    state: new StateFile(source.stateFile),
    earlier: undefined,
    platform,
    isDry: true,
  });
  const planned = plannedRows(imported.series, sensors);
  const others = besides(source, imported);
  shell.stdout.write(options.json ? toJson({ planned, ...others }) : planText({ planned, ...others }));
  return 0;
}

async function carryOver(source: Source, options: ImportOptions, shell: Shell): Promise<number> {
  const { client, platform } = connect(options, shell);
  const { kind, identity } = source;
  const state = new StateFile(options.state ?? source.stateFile);
  const earlier = await state.load({ kind, identity, platform });
  if (earlier) shell.stderr.write('An interrupted import continues.\n');
  const [intoExisting, mayAlert] = [options['into-existing'] ?? false, options['may-alert'] ?? false];
  const sensors = new Sensors(client, kind, { intoExisting, mayAlert });
  await sensors.load();
  const progress = new Progress(shell.stderr);
  const imported = await runImport({ client, source, sensors, progress, state, earlier, platform, isDry: false });
  await source.finish?.();
  const report = { verified: await verify(client, imported.series), ...besides(source, imported) };
  shell.stdout.write(options.json ? toJson(report) : reportText(report));
  if (report.verified.some(({ problem }) => problem !== '')) return 1;
  await state.remove();
  return 0;
}

function connect(options: ImportOptions, { env }: Shell) {
  const platform = (options.url ?? env.SENSORS_URL ?? 'http://localhost:8080').replace(/\/+$/, '');
  const key = env.SENSORS_KEY;
  return { platform, client: createClient({ baseUrl: platform, tries: TRIES, ...(key && { key }) }) };
}

function besides(source: Source, { leftOut }: Imported) {
  return { leftOut: leftOut.rows(), notes: source.notes?.() ?? [] };
}

function toJson(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
