import { formatDuration } from '../../format';
import { t } from '../../language';
import { Check, Field, Select } from '../../ui/form';
import type { Repeat, Rule, Severity } from './rule';

const REPEATS: readonly (readonly [Repeat, string])[] = [
  ['0', t('Once, when it begins')],
  ['300', t('Again every 5 minutes while it lasts')],
  ['3600', t('Again every hour while it lasts')],
  ['86400', t('Again every day while it lasts')],
  ['', t('With each value, at most once a minute')],
];

export const SEVERITIES: readonly (readonly [Severity, string])[] = [
  ['info', t('Info')],
  ['warning', t('Warning')],
  ['critical', t('Critical')],
];

/** The choices of a repetition, among them this one. */
export function repeatsWith(repeat: Repeat): typeof REPEATS {
  if (REPEATS.some(([value]) => value === repeat)) return REPEATS;
  const duration = formatDuration(Number(repeat));
  return [...REPEATS, [repeat, t('Again every {duration} while it lasts', { duration })]];
}

/** The severity and the repetition of an alert, and the delivery of its end. */
export function Cycle({ rule, onRule }: { rule: Rule; onRule: (rule: Rule) => void }) {
  return (
    <>
      <Select
        label={t('Reports')}
        value={rule.repeat}
        onValue={(repeat) => onRule({ ...rule, repeat: repeat as Repeat })} // one of the options
        options={repeatsWith(rule.repeat)}
      />
      <Select
        label={t('Severity')}
        value={rule.severity}
        onValue={(severity) => onRule({ ...rule, severity: severity as Severity })} // one of the options
        options={SEVERITIES}
      />
      <Check
        label={t('Also reports when it is over')}
        checked={rule.notifyResolved}
        onChecked={(notifyResolved) => onRule({ ...rule, notifyResolved })}
      />
      {rule.notifyResolved && (
        <Field
          label={t('Text when it is over')}
          placeholder={t('{variable} is back to normal', { variable: '{{sensor_name}}' })}
          value={rule.resolvedText}
          onValue={(resolvedText) => onRule({ ...rule, resolvedText })}
        />
      )}
      {rule.expression.trim() && (
        <Check
          label={t('Also reports alerts found in values that arrive late')}
          checked={rule.reportsLate}
          onChecked={(reportsLate) => onRule({ ...rule, reportsLate })}
        />
      )}
    </>
  );
}
