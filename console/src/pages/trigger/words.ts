import type { Records } from '../../api';
import { formatDuration, formatList } from '../../format';
import { t } from '../../language';
import { labelOf } from '../../ui/field-names';
import { triggerNameOf } from '../deliveries/summary';
import { repeatsWith, SEVERITIES } from './cycle';
import type { Rule } from './rule';
import { conditionText, FOLLOWED } from './selector';

/** The fields that no refusal names, as the form labels them. */
const LABELS: Readonly<Record<string, string>> = {
  repeat: t('Reports'),
  notify_resolved: t('Also reports when it is over'),
  late: t('Also reports alerts found in values that arrive late'),
  timezone: t('Time zone'),
  depends_on: t('Depends on'),
};

/** A changed field of a rule, for example `For at least: – → 5 min`. The rule before may not be known. */
export function changeText(field: string, before: Rule | undefined, after: Rule): string {
  const words = wordsOf(field, after);
  return `${LABELS[field] ?? labelOf(field)}: ${before ? `${wordsOf(field, before)} → ${words}` : words}`;
}

const NOTHING = '–';

/** A field of a rule in the words of the form. */
function wordsOf(field: string, rule: Rule): string {
  const words: Record<string, string | undefined> = {
    name: rule.name,
    expression: rule.expression,
    inactivity: duration(rule.inactivity),
    hold: duration(rule.hold),
    repeat: chosen(repeatsWith(rule.repeat), rule.repeat),
    resolve_expression: rule.resolveExpression,
    keep_firing_for: duration(rule.keepFiringFor),
    notify_resolved: t(rule.notifyResolved ? 'yes' : 'no'),
    resolved_text: rule.resolvedText,
    timezone: rule.timezone,
    severity: chosen(SEVERITIES, rule.severity),
    late: t(rule.reportsLate ? 'yes' : 'no'),
    selector: followed(rule.follows),
    depends_on: rule.dependsOn ? parentText(rule.dependsOn) : undefined,
  };
  return words[field] || NOTHING;
}

function duration(seconds: string): string {
  return seconds && formatDuration(Number(seconds));
}

function chosen(options: readonly (readonly [value: string, text: string])[], value: string): string | undefined {
  return options.find(([one]) => one === value)?.[1];
}

function parentText({ trigger_id, sensor, wait }: Records['DependencyView']): string {
  const where = sensor === 'same' ? t('the same sensor') : sensor.label;
  return [triggerNameOf({ trigger_id, trigger_name: null }), where, formatDuration(wait)].join(' · ');
}

function followed({ kind, conditions, namespace }: Rule['follows']): string | undefined {
  if (kind !== 'conditions') return chosen(FOLLOWED, kind);
  const text = formatList(conditions.map(conditionText));
  return namespace === 'default' ? text : `${text} (${namespace})`;
}
