import type { UsedLabels } from '../../language/labels';
import { type FiringVariables, variablesBefore } from '../../notifications';
import { shortened } from '../../platform/start-of';
import type { DataPoint } from '../../points';
import type { PointDecision } from './firing';
import type { InactivityDecision } from './inactivity';
import { type TriggerState } from './trigger-state';

/** The beginning is enough to recognize a value. */
const MAX_TEXT = 100;

/** Why a trigger fired, or why it did not. */
export type DecisionReason = (PointDecision | InactivityDecision)['reason'];

export interface DecisionFacts {
  sensorTriggerId: number;
  decision: { fire: boolean; reason: string; error?: string };
  decidedMs: number;
  triggerVersion: number;
  hold?: number;
  labels?: UsedLabels | undefined;
  zone?: string | undefined;
  before: Pick<TriggerState, 'lastTriggeredMs' | 'timesTriggered' | 'lastValue' | 'lastDateMs'>;
  /** Null if the decision is about an inactivity. */
  point: DataPoint | null;
}

export interface DecisionRecord {
  decidedMs: number;
  fired: boolean;
  reason: string;
  error: string | null;
  value: string | null;
  valueDateMs: number | null;
  triggerVersion: number;
  /** Seconds; 0 without a hold. */
  hold: number;
  variables: FiringVariables;
}

/** In the order of `encodeDecision`. */
type Encoded = [
  sensorTriggerId: number,
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
  hold?: number,
  triggerVersion?: number,
  labels?: UsedLabels | null,
  zone?: string,
];

/** Short JSON of bounded length: a hundred are kept for a sensor trigger. */
export function encodeDecision(facts: DecisionFacts): string {
  const { sensorTriggerId, decision, decidedMs, triggerVersion, hold = 0, labels, zone, before, point } = facts;
  const { lastDateMs, lastTriggeredMs, timesTriggered } = before;
  // Written by hand: every evaluation makes one, and all triggers of a sensor decide on the same values.
  const about = point ? `${pointValues.quote(point.value)},${point.dateMs}` : 'null,null';
  const how = `${decidedMs},${decision.fire ? 1 : 0},"${decision.reason}",${quoted(decision.error ?? null)}`;
  const state = `${lastValues.quote(before.lastValue)},${lastDateMs},${lastTriggeredMs},${timesTriggered}`;
  // Most decisions have none of these.
  const named = labels ? `,${JSON.stringify(labels, shortText)}` : '';
  const used = zone === undefined ? named : `${named || ',null'},${quoted(zone)}`;
  const rest = used || triggerVersion > 1 ? `,${hold},${triggerVersion}${used}` : hold > 0 ? `,${hold}` : '';
  return `[${sensorTriggerId},${how},${about},${state}${rest}]`;
}

export function decodeDecisions(list: string, sensorTriggerId: number): DecisionRecord[] {
  const all: Encoded[] = JSON.parse(list);
  return all.filter(([id]) => id === sensorTriggerId).map(decode);
}

/** Returns the same text if all match, an empty one if none does. */
export function decisionsOf(list: string, sensorTriggerIds: ReadonlySet<number>): string {
  const all: Encoded[] = JSON.parse(list);
  const left = all.filter(([id]) => sensorTriggerIds.has(id));
  if (left.length === all.length) return list;
  return left.length === 0 ? '' : JSON.stringify(left);
}

function decode(encoded: Encoded): DecisionRecord {
  const [, decidedMs, fired, reason, error, value, valueDateMs, ...rest] = encoded;
  const [lastValue, lastDateMs, lastTriggeredMs, timesTriggered, hold = 0, triggerVersion = 1, labels, zone] = rest;
  const point = value === null || valueDateMs === null ? null : { value, dateMs: valueDateMs };
  const before = { lastValue, lastDateMs, lastTriggeredMs, timesTriggered };
  const used = { ...(labels && { labels }), ...(zone !== undefined && { zone }) };
  const variables = { ...variablesBefore(before, point, decidedMs), ...used };
  return { decidedMs, fired: fired === 1, reason, error, value, valueDateMs, triggerVersion, hold, variables };
}

/** For `JSON.stringify`. */
function shortText(_: string, value: unknown): unknown {
  return typeof value === 'string' ? shortValue(value) : value;
}

function quoted(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(shortValue(text));
}

class QuotedTexts {
  private text: string | null = null;
  private json = 'null';

  quote(text: string | null): string {
    if (text !== this.text) [this.text, this.json] = [text, quoted(text)];
    return this.json;
  }
}

const pointValues = new QuotedTexts();
const lastValues = new QuotedTexts();

/** A cut text ends with `…`. */
export function shortValue<T extends string | null>(value: T): T | string {
  return value === null ? value : shortened(value, MAX_TEXT);
}
