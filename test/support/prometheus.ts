import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './ports';
import { until } from './until';

const RULES = join(__dirname, '../../docs/operate/alerts.yml');
/** Tests do not wait for as long as operators want alerts to. */
const FOR = '1s';

/** A Prometheus that scrapes one platform every second, with the alerts of the documentation. */
export interface Prometheus {
  /** The alerts that fire, by name, in order. */
  firing(): Promise<string[]>;
  /** The result of a query; fails when it is refused. */
  query(expression: string): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Whether this machine has Prometheus: Debian's package of that name. */
export async function hasPrometheus(): Promise<boolean> {
  return promisify(execFile)('prometheus', ['--version']).then(
    () => true,
    () => false,
  );
}

/** Why `promtool` refuses the file of alerts; empty when it does not. */
export async function checkRules(): Promise<string> {
  return promisify(execFile)('promtool', ['check', 'rules', RULES]).then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );
}

/** Starts one on a free port, with a folder of its own. Alerts fire once they have lasted for a second. */
export async function startPrometheus(platformUrl: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'sensors-prometheus-'));
  const rules = (await readFile(RULES, 'utf8')).replace(/^( +for: ).*$/gm, `$1${FOR}`);
  await writeFile(join(folder, 'alerts.yml'), rules);
  await writeFile(join(folder, 'prometheus.yml'), configOf(new URL(platformUrl).host));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(60_000) });
    const body = (await response.json()) as { status: string; error?: string; data: Record<string, unknown[]> };
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`);
    return body.data;
  };
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('Prometheus is ready', isReady);
  return {
    firing: async () => {
      const { alerts = [] } = await ask('/api/v1/alerts');
      const firing = (alerts as { state: string; labels: { alertname: string } }[]).filter(
        ({ state }) => state === 'firing',
      );
      return [...new Set(firing.map(({ labels }) => labels.alertname))].sort();
    },
    query: async (expression) => (await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)).result ?? [],
    close: () => close(child, folder),
  };
}

function configOf(host: string): string {
  return `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs:
  - job_name: sensor-platform
    static_configs: [{ targets: ['${host}'] }]
`;
}

async function close(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
