import { type PrometheusProcess, startPrometheusProcess } from '../prometheus-process';

/** What a Prometheus is configured to send, and where. */
export interface RemoteWriteTarget {
  /** The address that takes remote write. */
  url: string;
  token: string;
  /** `queue_config`, for other values than the defaults. */
  queue?: Record<string, unknown>;
  /** `write_relabel_configs`: the series that are sent. */
  relabel?: Record<string, unknown>[];
}

/** A Prometheus that scrapes itself every second, and sends what it stores by remote write. */
export interface SendingPrometheus extends PrometheusProcess {
  /** The sum of one of its own metrics over all labels, by its full name; 0 if it has none of that name. */
  metric(name: string): Promise<number>;
  /** All samples that it has stored. */
  stored(): Promise<StoredSeries[]>;
}

/** A series as the API of Prometheus has it: the values are texts, with their dates in seconds. */
export interface StoredSeries {
  metric: Record<string, string>;
  values: [number, string][];
}

/** Starts one on a free port. It sends every second instead of every five. */
export async function startSendingPrometheus(target: RemoteWriteTarget): Promise<SendingPrometheus> {
  const started = await startPrometheusProcess((address) => ({ 'prometheus.yml': configFor(address, target) }));
  return { ...started, metric: (name) => metricOf(started.url, name), stored: () => storedIn(started.url) };
}

/** The samples of a series with the name of the series, as Prometheus prints it. */
export function samplesOf({ metric, values }: StoredSeries): string[] {
  const { __name__: name, ...labels } = metric;
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const inside = sorted.map(([label, value]) => `${label}=${JSON.stringify(value)}`).join(',');
  return values
    .filter(([, value]) => Number.isFinite(Number(value)))
    .map(([seconds, value]) => `${name}{${inside}} ${Math.round(seconds * 1_000)} ${Number(value)}`);
}

/** JSON is also YAML. */
function configFor(address: string, { url, token, queue, relabel = [] }: RemoteWriteTarget): string {
  return JSON.stringify({
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: [{ job_name: 'prometheus', static_configs: [{ targets: [address] }] }],
    remote_write: [
      {
        url,
        authorization: { credentials: token },
        queue_config: { batch_send_deadline: '1s', ...queue },
        write_relabel_configs: relabel,
      },
    ],
  });
}

async function metricOf(url: string, name: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) });
  const lines = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

async function storedIn(url: string): Promise<StoredSeries[]> {
  const query = encodeURIComponent('{__name__=~".+"}[5m]');
  const response = await fetch(`${url}/api/v1/query?query=${query}`, { signal: AbortSignal.timeout(10_000) });
  const { data } = (await response.json()) as { data: { result: StoredSeries[] } };
  return data.result;
}
