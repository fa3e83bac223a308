import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports';
import { until } from './until';

/** How long a Prometheus that is asked to end may take. It sends what it still has for a second. */
const END_MS = 5_000;
/** Maximum length of the output that is kept. */
const MAX_OUTPUT = 1_000_000;

export interface PrometheusProcess {
  url: string;
  /** What it has logged; errors and warnings only. */
  output(): string;
  close(): Promise<void>;
}

/** Whether this machine has Prometheus: Debian's package of that name. */
export async function hasPrometheus(): Promise<boolean> {
  return promisify(execFile)('prometheus', ['--version']).then(
    () => true,
    () => false,
  );
}

/**
 * Starts one on a free port, with a folder of its own that holds these files; one is `prometheus.yml`. It is given its
 * own address, and scrapes every second.
 */
export async function startPrometheusProcess(
  filesFor: (address: string) => Record<string, string>,
): Promise<PrometheusProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'sensors-prometheus-'));
  const address = `127.0.0.1:${await freePort()}`;
  for (const [name, text] of Object.entries(filesFor(address))) await writeFile(join(folder, name), text);
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--storage.remote.flush-deadline=1s',
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (output.length < MAX_OUTPUT) output += chunk;
  });
  const close = () => end(child, folder);
  await until('Prometheus is ready', () => {
    if (child.exitCode !== null) throw new Error(`Prometheus has ended: ${output}`);
    return isReady(address);
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { url: `http://${address}`, output: () => output, close };
}

function isReady(address: string): Promise<boolean> {
  return fetch(`http://${address}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    await ended;
    clearTimeout(timer);
  }
  await rm(folder, { recursive: true, force: true });
}
