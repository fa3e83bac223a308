import { writeFile } from 'node:fs/promises';
import type { Reading } from './source';

export interface DeviceProfile {
  name: string;
  profileData?: { alarms?: AlarmRule[] | null } | null;
}

interface AlarmRule {
  alarmType: string;
  createRules?: Record<string, CreateRule>;
  clearRule?: CreateRule | null;
}

interface CreateRule {
  condition?: { condition?: KeyCondition[]; spec?: Spec };
  schedule?: { type?: string } | null;
}

interface KeyCondition {
  key?: { type?: string; key?: string };
  predicate?: { type?: string; operation?: string; value?: Value };
}

interface Spec {
  type?: string;
  unit?: string;
  predicate?: Value;
}

interface Value {
  defaultValue?: unknown;
  userValue?: unknown;
  dynamicValue?: { sourceAttribute?: string | null } | null;
}

/** A rule as text. */
interface Rule {
  name: string;
  expression: string;
  hold: number;
  severity: string;
  profile: string;
  key: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  EQUAL: '==',
  NOT_EQUAL: '!=',
  GREATER: '>',
  LESS: '<',
  GREATER_OR_EQUAL: '>=',
  LESS_OR_EQUAL: '<=',
};
const SECONDS: Readonly<Record<string, number>> = { SECONDS: 1, MINUTES: 60, HOURS: 3_600, DAYS: 86_400 };
const SEVERITIES: Readonly<Record<string, string>> = {
  CRITICAL: 'critical',
  MAJOR: 'critical',
  MINOR: 'warning',
  WARNING: 'warning',
};

/** Alarm rules of device profiles that are a comparison of one key with a constant, as a rule set. */
export class AlarmRules {
  readonly rules: Rule[] = [];

  constructor(private readonly reading: Reading) {}

  add({ name: profile, profileData }: DeviceProfile): void {
    for (const { alarmType, createRules = {}, clearRule } of profileData?.alarms ?? []) {
      for (const [severity, rule] of Object.entries(createRules)) this.addRule(profile, alarmType, severity, rule);
      if (clearRule) {
        this.reading.leaveOut(
          'clear rules: an alert ends when its condition is no longer met',
          `${profile}: ${alarmType}`,
        );
      }
    }
  }

  /** YAML with values in JSON, for `sensors rules plan`. */
  async write(file: string): Promise<void> {
    const triggers = this.rules.map(({ name, expression, hold, severity, profile, key }) => {
      const equal = (metatag_name: string, value: string) => [{ metatag_name, operator: 'equal', value }];
      const groups = [equal('device_profile', profile), equal('telemetry_key', key)];
      return [
        `  - name: ${JSON.stringify(name)}`,
        `    expression: ${JSON.stringify(expression)}`,
        `    hold: ${hold}`,
        `    severity: ${severity}`,
        `    selector: ${JSON.stringify({ filter: { metatag_statement_groups: groups } })}`,
      ].join('\n');
    });
    await writeFile(file, `set: thingsboard\ntriggers:\n${triggers.join('\n')}\n`);
  }

  private addRule(profile: string, alarmType: string, severity: string, rule: CreateRule): void {
    const name = `${profile}: ${alarmType} (${severity})`;
    const read = readRule(rule);
    if (typeof read === 'string') this.reading.leaveOut(`alarm rules with ${read}`, name);
    else this.rules.push({ name, severity: SEVERITIES[severity] ?? 'info', profile, ...read });
  }
}

/** What the rule says, or what of it cannot be said. */
function readRule({ condition, schedule }: CreateRule): Pick<Rule, 'expression' | 'hold' | 'key'> | string {
  const [only, ...others] = condition?.condition ?? [];
  if (!only || others.length > 0) return 'several conditions';
  if (schedule?.type && schedule.type !== 'ANY_TIME') return 'a schedule';
  const hold = holdOf(condition?.spec);
  if (hold === undefined) return 'a number of repetitions, or a duration that an attribute gives';
  const { type, key } = only.key ?? {};
  if (type !== 'TIME_SERIES' || !key) return 'a condition on something else than telemetry';
  const expression = expressionOf(only);
  return expression === undefined ? 'something else than a comparison with a constant' : { expression, hold, key };
}

function expressionOf({ predicate }: KeyCondition): string | undefined {
  const { type = '', operation = '', value } = predicate ?? {};
  const operator = Object.hasOwn(OPERATORS, operation) ? OPERATORS[operation] : undefined;
  const constant = constantOf(value);
  const isKnown =
    (type === 'NUMERIC' && typeof constant === 'number') ||
    (type === 'BOOLEAN' && typeof constant === 'boolean') ||
    (type === 'STRING' && typeof constant === 'string');
  if (!operator || !isKnown) return undefined;
  return `sensor_data_value ${operator} ${JSON.stringify(constant)}`;
}

/** Undefined if an attribute gives the value. */
function constantOf(value: Value | undefined): unknown {
  if (value?.dynamicValue?.sourceAttribute) return undefined;
  return value?.userValue ?? value?.defaultValue;
}

/** Seconds; undefined for what `hold` cannot say. */
function holdOf(spec: Spec | undefined): number | undefined {
  const { type = 'SIMPLE', unit = '', predicate } = spec ?? {};
  if (type === 'SIMPLE') return 0;
  const count = constantOf(predicate);
  const seconds = SECONDS[unit];
  return type === 'DURATION' && typeof count === 'number' && seconds !== undefined ? count * seconds : undefined;
}
