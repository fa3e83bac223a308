import { api, type Records } from '../../api';
import { type Backtest, decidingOf, type Rule, whenFree } from '../trigger/rule';

export type Episode = Records['ComparedEpisodeView'];
type Comparison = Records['BacktestComparisonView'];
type Summary = Records['BacktestSummaryView'];

export type Numbers = Pick<Summary, 'episodes' | 'deliveries' | 'at_night'>;

/** What a changed rule would have done instead of the saved one. */
export interface Effect extends Pick<Comparison, 'both' | 'only_this' | 'only_other'> {
  saved: Numbers;
  changed: Numbers;
  points: number;
  /** Until when all data was tried, in unix seconds. */
  until: number;
  isCut: boolean;
  /** Why some points could not be evaluated; empty if all could. */
  lastError: string;
  /** What the backtests leave out. */
  warning: string | undefined;
}

/** Sensors of one backtest: with windows it takes no more. */
export const AT_ONCE = 100;
const MONTH = 30 * 86_400;

/** The clocks of the browser and the platform differ by less. */
const CLOCKS_S = 600;

const ZERO: Numbers = { episodes: 0, deliveries: 0, at_night: 0 };

/** Tries a trigger and its changed rule on the last 30 days of sensors; `report` gets the number of sensors tried so far. */
export async function runEffect(
  id: string,
  rule: Rule,
  sensors: readonly string[],
  signal: AbortSignal,
  report: (tried: number) => void,
): Promise<Effect> {
  const now = Date.now() / 1000;
  const all: Backtest[] = [];
  for (let at = 0; at < sensors.length; at += AT_ONCE) {
    report(at);
    const body = {
      sensor_ids: sensors.slice(at, at + AT_ONCE),
      start_date: now - MONTH,
      end_date: now,
      compare: { name: rule.name, ...decidingOf(rule), depends_on: rule.dependsOn },
    };
    all.push(
      await whenFree(() => api.post('/triggers/{id}/backtest', { params: { path: { id } }, body, signal }), signal),
    );
  }
  const until = Math.min(...all.map((one) => one.until));
  const compared = all.flatMap(({ comparison }) => comparison ?? []);
  return {
    both: compared.flatMap(({ both }) => both),
    only_this: compared.flatMap((one) => one.only_this),
    only_other: compared.flatMap((one) => one.only_other),
    saved: all.reduce((sum, { summary }) => add(sum, summary), ZERO),
    changed: compared.reduce((sum, { summary }) => add(sum, summary), ZERO),
    points: all.reduce((sum, { points }) => sum + points, 0),
    until,
    isCut: until < now - CLOCKS_S,
    lastError: all.find((one) => one.last_error)?.last_error ?? '',
    warning: all[0]?.warning,
  };
}

function add(one: Numbers, other: Numbers): Numbers {
  return {
    episodes: one.episodes + other.episodes,
    deliveries: one.deliveries + other.deliveries,
    at_night: one.at_night + other.at_night,
  };
}
