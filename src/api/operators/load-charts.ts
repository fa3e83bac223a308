import type { LoadOfDay, SampleName } from '../../operators/load-history';
import { type Html, html } from '../../platform/html';
import type { PlainText } from '../../platform/words/words';
import { type LineChart, lineChart } from './line-chart';
import type { PageWriter } from './parts';

interface Charted extends Pick<LineChart, 'isLogarithmic'> {
  title: PlainText;
  series: readonly (readonly [PlainText, SampleName])[];
  show(value: number, writer: PageWriter): string;
}

const CHARTS: readonly Charted[] = [
  { title: 'Points stored per minute', series: [['points', 'points']], show: number },
  {
    title: 'Attempts to deliver per minute',
    series: [
      ['arrived', 'delivered'],
      ['failed attempts', 'failed_attempts'],
    ],
    show: number,
  },
  {
    title: 'From a point to its delivery',
    series: [
      ['median', 'latency_p50'],
      ['95 %', 'latency_p95'],
      ['slowest', 'latency_max'],
    ],
    show: latency,
    isLogarithmic: true,
  },
  {
    title: 'Waiting',
    series: [
      ['points', 'waiting_points'],
      ['deliveries', 'waiting_deliveries'],
    ],
    show: number,
  },
  {
    title: 'Age of the oldest that waits',
    series: [
      ['points', 'oldest_points'],
      ['deliveries', 'oldest_deliveries'],
    ],
    show: (value, writer) => writer.age(value),
  },
  {
    title: 'Refused requests per minute',
    series: [
      ['too many (429)', 'refused_429'],
      ['no capacity (503)', 'refused_503'],
    ],
    show: number,
  },
];

export function loadCharts({ fromMs, of }: LoadOfDay, writer: PageWriter): Html {
  const { words } = writer;
  const charts = CHARTS.map(({ title, series, show, ...chart }) => {
    const lines = series.map(([label, name]) => ({ label: words.t(label), values: of(name) }));
    const named = { title: words.t(title), show: (value: number) => show(value, writer) };
    return lineChart({ ...chart, ...named, fromMs, lines }, writer);
  });
  const about = words.t(
    'Times are UTC. Points and refused requests are counted by every API process and worker, and may be ten seconds late; a process that is killed loses its last counts. The others are sampled once a minute for the whole platform. The time to a delivery runs from the arrival of the point, or from the event, to the end of the attempt that arrived. What waits on purpose is left out: digests, escalations and what a mute held back. Each attempt counts, so a delivery that is retried counts several times. A digest is one delivery. A gap is a minute in which no API process ran.',
  );
  return html`<div class="charts">${charts}</div>
${writer.note(about)}`;
}

function number(value: number, writer: PageWriter): string {
  return writer.number(value);
}

function latency(ms: number, writer: PageWriter): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${writer.number(ms / 1_000)} s`;
}
