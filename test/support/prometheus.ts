import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPrometheusProcess } from './prometheus-process';

const RULES = join(__dirname, '../../docs/operate/alerts.yml');
/** Tests do not wait for as long as operators want alerts to. */
const FOR = '1s';
/** They fire at once where the machine is slow, which is no planted fault: these keep their time. */
const OF_SLOW_MACHINES = /alert: (EventLoopBlocked|RequestsSlow|DeliveriesLate)\n/;

/** A Prometheus that scrapes one platform every second, with the alerts of the documentation. */
export interface Prometheus {
  /** The alerts that fire, by name, in order. */
  firing(): Promise<string[]>;
  /** The result of a query; fails when it is refused. */
  query(expression: string): Promise<unknown[]>;
  close(): Promise<void>;
}

/** Why `promtool` refuses the file of alerts; empty when it does not. */
export async function checkRules(): Promise<string> {
  return promisify(execFile)('promtool', ['check', 'rules', RULES]).then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );
}

/** Starts one on a free port, with a folder of its own. Alerts fire once they have lasted for a second, but for those of slow machines. */
export async function startPrometheus(platformUrl: string): Promise<Prometheus> {
  const rules = (await readFile(RULES, 'utf8'))
    .split(/(?=- alert: )/)
    .map((rule) => (OF_SLOW_MACHINES.test(rule) ? rule : rule.replace(/^( +for: ).*$/m, `$1${FOR}`)))
    .join('');
  const files = { 'alerts.yml': rules, 'prometheus.yml': configOf(new URL(platformUrl).host) };
  const { url, close } = await startPrometheusProcess(() => files);
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(60_000) });
    const body = (await response.json()) as { status: string; error?: string; data: Record<string, unknown[]> };
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`);
    return body.data;
  };
  return {
    firing: async () => {
      const { alerts = [] } = await ask('/api/v1/alerts');
      const firing = (alerts as { state: string; labels: { alertname: string } }[]).filter(
        ({ state }) => state === 'firing',
      );
      return [...new Set(firing.map(({ labels }) => labels.alertname))].sort();
    },
    query: async (expression) => (await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)).result ?? [],
    close,
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
