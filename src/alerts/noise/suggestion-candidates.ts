import { type SingleComparison, singleComparison } from '../../language/single-comparison';
import type { TriggerRule } from '../rules/trigger-rule';

/** One changed field of a rule. */
export type RuleChange =
  | { field: 'hold' | 'keepFiringFor'; to: number }
  | { field: 'resolveExpression' | 'expression'; to: string };

export interface SeenEpisode {
  sensorId: number;
  beganMs: number;
  /** Null while it lasts. */
  endedMs: number | null;
  isAcknowledged: boolean;
}

/** Values of points, in the direction of the limit: greater is worse. */
export interface Extremes {
  /** Worst values of episodes that nobody acknowledged. */
  calm: readonly number[];
  acknowledged: readonly number[];
  /** Best values between two episodes. */
  between: readonly number[];
}

export interface Limit extends SingleComparison {
  /** -1 if lower values are worse. */
  sign: 1 | -1;
  /** In the direction of the limit. */
  worst: number;
}

const SHARES = [0.5, 0.8] as const;
/** Longer episodes and gaps are not meant to go. */
const SHORT_S = 3_600;
const ROUND_S = [
  ...[10, 20, 30, 60, 120, 180, 300, 420, 600, 900, 1_200, 1_800, 2_700, 3_600, 5_400, 7_200, 10_800, 14_400],
  ...[21_600, 28_800, 43_200, 64_800, 86_400],
];

/** Longer holds by the durations of short episodes, and longer ends by the gaps between episodes. */
export function timeChanges(rule: TriggerRule, episodes: readonly SeenEpisode[]): RuleChange[] {
  const { hold = 0, keepFiringFor = 0 } = rule;
  const durations = episodes.flatMap(({ beganMs, endedMs, isAcknowledged }) =>
    endedMs === null || isAcknowledged ? [] : [(endedMs - beganMs) / 1000],
  );
  const gaps = gapsOf(episodes).map(({ fromMs, untilMs }) => (untilMs - fromMs) / 1000);
  return [
    ...roundTimes(durations, hold).map((to): RuleChange => ({ field: 'hold', to })),
    ...roundTimes(gaps, keepFiringFor).map((to): RuleChange => ({ field: 'keepFiringFor', to })),
  ];
}

/** Undefined unless the expression is one comparison. */
export function limitOf(expression: string): Limit | undefined {
  const comparison = singleComparison(expression);
  if (!comparison) return undefined;
  const sign = comparison.operator.startsWith('>') ? 1 : -1;
  return { ...comparison, sign, worst: sign * Number(comparison.number) };
}

/** Other limits by the worst values, and ends further behind the limit by the best values between episodes. */
export function valueChanges(limit: Limit, { calm, acknowledged, between }: Extremes, hasEnd: boolean): RuleChange[] {
  const { operand, operator, sign, worst } = limit;
  const write = (by: string, distance: number) => `${operand} ${by} ${written(sign * (worst + distance))}`;
  const beyond = sharesOf(calm.map((value) => value - worst).filter((one) => one > 0)).map(roundUp);
  const least = Math.min(...acknowledged.map((value) => value - worst));
  const limits = [...beyond, ...(Number.isFinite(least) && least > 0 ? [roundDown(least)] : [])];
  const behind = sharesOf(between.map((value) => worst - value).filter((one) => one > 0)).map(roundUp);
  const opposite = sign > 0 ? '<' : '>';
  return [
    ...different(limits).map((one): RuleChange => ({ field: 'expression', to: write(operator, one) })),
    ...(hasEnd ? [] : different(behind)).map(
      (one): RuleChange => ({ field: 'resolveExpression', to: write(opposite, -one) }),
    ),
  ];
}

/** Short times between episodes of a sensor. */
export function gapsOf(episodes: readonly SeenEpisode[]) {
  const sorted = [...episodes].sort((a, b) => a.sensorId - b.sensorId || a.beganMs - b.beganMs);
  return sorted.flatMap(({ sensorId, endedMs: fromMs }, at) => {
    const next = sorted[at + 1];
    if (fromMs === null || next?.sensorId !== sensorId) return [];
    const isShort = next.beganMs > fromMs && next.beganMs - fromMs <= SHORT_S * 1000;
    return isShort ? [{ sensorId, fromMs, untilMs: next.beganMs }] : [];
  });
}

function roundTimes(seconds: readonly number[], present: number): number[] {
  const short = seconds.filter((one) => one > 0 && one <= SHORT_S);
  return different(sharesOf(short).flatMap((one) => ROUND_S.find((round) => round >= present + one) ?? []));
}

function sharesOf(numbers: readonly number[]): number[] {
  const sorted = [...numbers].sort((a, b) => a - b);
  return SHARES.flatMap((share) => sorted[Math.ceil(share * sorted.length) - 1] ?? []);
}

function different(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].filter((one) => one > 0);
}

/** Half of the first digit. */
function stepOf(distance: number): number {
  return 10 ** Math.floor(Math.log10(distance)) / 2;
}

function roundUp(distance: number): number {
  const step = stepOf(distance);
  return (Math.floor(exact(distance / step)) + 1) * step;
}

/** Less than the distance, for a limit that must be passed. */
function roundDown(distance: number): number {
  const step = stepOf(distance);
  return (Math.ceil(exact(distance / step)) - 1) * step;
}

/** Without the noise of binary fractions. */
function exact(number: number): number {
  return Number(number.toPrecision(12));
}

function written(number: number): string {
  const short = exact(number);
  return Math.abs(short) < 1e-6 ? '0' : String(short);
}
