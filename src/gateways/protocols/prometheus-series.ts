import { shortened } from '../../platform/start-of';
import { MAX_SERIES_NAME, type Series } from './series';

export interface Label {
  name: string;
  value: string;
}

/** A label takes at least the six characters `a="b",` of a name. */
export const MAX_LABELS = Math.floor(MAX_SERIES_NAME / 6);

const METRIC = '__name__';
const [MAX_TITLE, MAX_SHOWN] = [255, 200];
/** Other names, as in Prometheus 3, are quoted. */
const PLAIN_METRIC = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const PLAIN_LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/** Units by the last word of a metric, also without a base unit: common in exporters of sensors. */
const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ seconds: 's', milliseconds: 'ms', bytes: 'B', celsius: '°C', kelvin: 'K', percent: '%' },
    ...{ volts: 'V', amperes: 'A', amps: 'A', watts: 'W', watt: 'W', joules: 'J', joule: 'J', hertz: 'Hz' },
    ...{ grams: 'g', meters: 'm', pascals: 'Pa', lux: 'lx', rpm: 'rpm' },
  }),
);

/**
 * Names a series like Prometheus: `metric{a="b",c="d"}`. Returns a problem if the labels identify no series that can be
 * stored.
 */
export function seriesOf(labels: readonly Label[]): { series: Series } | { problem: string } {
  const sorted = [...labels].sort((a, b) => (a.name < b.name ? -1 : 1));
  const metric = sorted.find(({ name }) => name === METRIC)?.value ?? '';
  const others = sorted.filter(({ name }) => name !== METRIC);
  const name = nameOf(metric, others);
  const problem = problemOf(sorted, name);
  if (problem) return { problem: `the series ${shortened(name, MAX_SHOWN)} ${problem}` };
  const unit = unitOfMetric(metric);
  return {
    series: {
      namespace: 'prometheus',
      name,
      title: shortened(name, MAX_TITLE),
      source: 'prometheus',
      dataType: 'float',
      tags: Object.fromEntries(others.map((label) => [label.name, label.value])),
      units: unit === undefined ? {} : { value: unit },
    },
  };
}

/** The metric's name ends with its unit, as Prometheus rules; ratios have none. */
export function unitOfMetric(metric: string): string | undefined {
  const words = metric
    .replace(/_total$/, '')
    .replace(/_sum$/, '')
    .split('_');
  const isRate = words.at(-2) === 'per';
  return words.length < 2 || isRate ? undefined : UNITS.get(words.at(-1) ?? '');
}

function problemOf(sorted: readonly Label[], name: string): string | undefined {
  if (sorted.length === 0) return 'has no labels';
  if (sorted.some((label) => label.name === '')) return 'has a label without a name';
  const repeated = sorted.find((label, index) => label.name === sorted[index - 1]?.name);
  if (repeated) return `has the label ${shortened(repeated.name, MAX_SHOWN)} twice`;
  return name.length > MAX_SERIES_NAME ? `has a name of more than ${MAX_SERIES_NAME} characters` : undefined;
}

function nameOf(metric: string, others: readonly Label[]): string {
  const isPlain = metric === '' || PLAIN_METRIC.test(metric);
  const inside = others.map(({ name, value }) => `${PLAIN_LABEL.test(name) ? name : quoted(name)}=${quoted(value)}`);
  if (!isPlain) inside.unshift(quoted(metric));
  const braces = inside.length > 0 || metric === '' ? `{${inside.join(',')}}` : '';
  return isPlain ? metric + braces : braces;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"\n]/g, (character) => ESCAPES[character] ?? character)}"`;
}
