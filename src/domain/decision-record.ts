import type { DataPoint } from './data-point';
import type { PointDecision } from './firing';
import type { InactivityDecision } from './inactivity';
import { type FiringVariables, type TriggerState, variablesBefore } from './trigger-state';

/** Longer texts are cut where decisions are kept or shown: the beginning is enough to recognise a value by. */
const MAX_TEXT = 100;

/** Why a trigger fired, or why it did not. */
export type DecisionReason = (PointDecision | InactivityDecision)['reason'];

/** What a trigger decided, and what it decided on. */
export interface DecisionFacts {
  decision: { fire: boolean; reason: string; error?: string };
  decidedMs: number;
  before: Pick<TriggerState, 'lastTriggeredMs' | 'timesTriggered' | 'lastValue' | 'lastDateMs'>;
  /** None when it was about an inactivity. */
  point: DataPoint | null;
}

/** A decision as it is shown: the variables are those that the expression read. */
export interface DecisionRecord {
  decidedMs: number;
  fired: boolean;
  reason: string;
  error: string | null;
  value: string | null;
  valueDateMs: number | null;
  variables: FiringVariables;
}

/** In the order of `encodeDecision`. */
type Encoded = [
  decidedMs: number,
  fired: 0 | 1,
  reason: string,
  error: string | null,
  value: string | null,
  valueDateMs: number | null,
  lastValue: string | null,
  lastDateMs: number | null,
  lastTriggeredMs: number,
  timesTriggered: number,
];

/** A text of bounded length, and short: a hundred of them are kept for every sensor trigger. */
export function encodeDecision({ decision, decidedMs, before, point }: DecisionFacts): string {
  const encoded: Encoded = [
    decidedMs,
    decision.fire ? 1 : 0,
    decision.reason,
    shortened(decision.error ?? null),
    shortened(point?.value ?? null),
    point?.dateMs ?? null,
    shortened(before.lastValue),
    before.lastDateMs,
    before.lastTriggeredMs,
    before.timesTriggered,
  ];
  return JSON.stringify(encoded);
}

/** What `encodeDecision` was given. */
export function decodeDecision(text: string): DecisionRecord {
  const encoded: Encoded = JSON.parse(text);
  const [decidedMs, fired, reason, error, value, valueDateMs, lastValue, lastDateMs, lastTriggeredMs, timesTriggered] =
    encoded;
  const point = value === null || valueDateMs === null ? null : { value, dateMs: valueDateMs };
  const before = { lastValue, lastDateMs, lastTriggeredMs, timesTriggered };
  const variables = variablesBefore(before, point, decidedMs);
  return { decidedMs, fired: fired === 1, reason, error, value, valueDateMs, variables };
}

/** The text, or the beginning of a long one; a cut text ends with `…`. */
export function shortened<T extends string | null>(text: T): T | string {
  if (text === null || text.length <= MAX_TEXT) return text;
  // Not through the middle of a character.
  return `${text.slice(0, MAX_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
