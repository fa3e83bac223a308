import { formatDuration } from '../../format';
import { Check, Field, Select } from '../../ui/form';
import type { Repeat, Rule, Severity } from './rule';

const REPEATS: readonly (readonly [Repeat, string])[] = [
  ['0', 'Once, when it begins'],
  ['300', 'Again every 5 minutes while it lasts'],
  ['3600', 'Again every hour while it lasts'],
  ['86400', 'Again every day while it lasts'],
  ['', 'With each value, at most once a minute'],
];

const SEVERITIES: readonly (readonly [Severity, string])[] = [
  ['info', 'Info'],
  ['warning', 'Warning'],
  ['critical', 'Critical'],
];

/** The severity and the repetition of an alert, and the delivery of its end. */
export function Cycle({ rule, onRule }: { rule: Rule; onRule: (rule: Rule) => void }) {
  const known = REPEATS.some(([value]) => value === rule.repeat);
  const options = known
    ? REPEATS
    : [...REPEATS, [rule.repeat, `Again every ${formatDuration(Number(rule.repeat))} while it lasts`] as const];
  return (
    <>
      <Select
        label="Reports"
        value={rule.repeat}
        onValue={(repeat) => onRule({ ...rule, repeat: repeat as Repeat })} // one of the options
        options={options}
      />
      <Select
        label="Severity"
        value={rule.severity}
        onValue={(severity) => onRule({ ...rule, severity: severity as Severity })} // one of the options
        options={SEVERITIES}
      />
      <Check
        label="Reports when it is over, too"
        checked={rule.notifyResolved}
        onChecked={(notifyResolved) => onRule({ ...rule, notifyResolved })}
      />
      {rule.notifyResolved && (
        <Field
          label="Text when it is over"
          placeholder="{{sensor_name}} is back to normal"
          value={rule.resolvedText}
          onValue={(resolvedText) => onRule({ ...rule, resolvedText })}
        />
      )}
    </>
  );
}
