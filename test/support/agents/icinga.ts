import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** How long an Icinga that is asked to end may take. */
const END_MS = 10_000;
/** Its processes for checks may end, and write, later than the one that was started. */
const WHILE_WRITTEN = { maxRetries: 20, retryDelay: 250 };
const FOLDERS = ['data', 'log', 'cache', 'spool', 'run'];

/** Where both writers of an Icinga send to. */
export interface IcingaTarget {
  port: number;
  key: string;
}

/** An Icinga that checks one host every second. The check reports how often it was made before. */
export interface Icinga {
  /** What it has logged. */
  output(): string;
  close(): Promise<void>;
}

/** Starts one with an InfluxdbWriter (`metric=count` of measurement `one`) and an Influxdb2Writer (`two`). */
export async function startIcinga(target: IcingaTarget): Promise<Icinga> {
  const folder = await mkdtemp(join(tmpdir(), 'sensors-icinga-'));
  const child = await launch(folder, configFor(folder, target));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  return { output: () => output, close: () => end(child, folder) };
}

/** The exit code of a check of this configuration: 0 if it is valid. */
export async function checkConfiguration(text: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sensors-icinga-'));
  const child = await launch(folder, `include <itl>\n${text}`, '-C');
  const [code] = await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
  return Number(code);
}

/** Runs `icinga2 daemon` with all its files in the folder. */
async function launch(folder: string, configuration: string, ...more: string[]) {
  for (const name of FOLDERS) await mkdir(join(folder, name));
  const file = join(folder, 'icinga2.conf');
  await writeFile(file, configuration);
  const paths = {
    ...{ DataDir: 'data', LogDir: 'log', CacheDir: 'cache', SpoolDir: 'spool', InitRunDir: 'run' },
    ...{ PidPath: 'run/pid', VarsPath: 'cache/vars', StatePath: 'data/state', ModAttrPath: 'data/modified' },
    ObjectsPath: 'cache/objects',
  };
  const defined = Object.entries(paths).map(([name, path]) => `-D${name}=${join(folder, path)}`);
  const { username } = userInfo();
  const args = ['daemon', '-c', file, '-I', '/usr/share/icinga2/include', ...defined, ...more];
  return spawn('icinga2', [...args, `-DRunAsUser=${username}`, `-DRunAsGroup=${username}`, '-DNodeName=test'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function configFor(folder: string, { port, key }: IcingaTarget): string {
  const count = join(folder, 'count');
  const shared = (measurement: string) => `host = "127.0.0.1"
  port = ${port}
  flush_interval = 1s
  host_template = { measurement = "${measurement}", tags = { hostname = "$host.name$" } }`;
  return `include <itl>
object CheckerComponent "checker" { }
object InfluxdbWriter "one" {
  ${shared('one')}
  database = "home"
  username = "anyone"
  password = "${key}"
}
object Influxdb2Writer "two" {
  ${shared('two')}
  organization = "home"
  bucket = "home"
  auth_token = "${key}"
}
object CheckCommand "counter" {
  command = [ "/bin/sh", "-c", "n=$$(cat ${count} 2>/dev/null || echo 0); echo $$((n + 1)) > ${count}; echo \\"OK|count=$$n\\"" ]
}
object Host "cellar" {
  check_command = "counter"
  check_interval = 1s
  retry_interval = 1s
}
`;
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(timer);
  }
  await rm(folder, { recursive: true, force: true, ...WHILE_WRITTEN });
}
