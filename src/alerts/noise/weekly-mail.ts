import { readerTime } from '../../language/reader-time';
import type { WrittenMail } from '../../notifications';
import type { Text, Words } from '../../platform/words/words';
import type { Period } from '../../points';
import type { Noise } from './noise.service';
import type { NoiseNumbers } from './noise-count';

interface Week extends Period {
  timezone: string;
}

export interface WeekOfNoise extends Week {
  noise: Noise;
  before: NoiseNumbers;
  /** Null if they were not counted. */
  suggestions: number | null;
}

const MOST_RULES = 3;

/** A mail about a week, with what changed against the week before. */
export function weeklyMail(week: WeekOfNoise, publicUrl: string, words: Words): WrittenMail {
  const { summary } = week.noise;
  const links = [reportLink(week.suggestions, publicUrl, words)];
  if (summary.episodes === 0 && summary.firings === 0) {
    const subject = words.t('A quiet week');
    return { subject, heading: subject, remark: quietText(week, words), facts: [], links };
  }
  const subject = words.t('Your week: {alerts}', { alerts: alertsText(summary.episodes, words) });
  return {
    ...{ subject, heading: subject },
    remark: words.t('From {from} to {to}, compared with the week before.', daysOf(week, words)),
    facts: [...factsOf(week, words), ...ruleFacts(week, words)],
    links,
  };
}

/** A mail about a week that could not be counted. */
export function uncountedMail(week: Week, publicUrl: string, words: Words): WrittenMail {
  const subject = words.t('Your week could not be counted');
  const remark = words.t(
    'From {from} to {to} there were too many alerts to count them in time. The report can count fewer days.',
    daysOf(week, words),
  );
  return { subject, heading: subject, remark, facts: [], links: [reportLink(null, publicUrl, words)] };
}

function daysOf({ startMs, endMs, timezone }: Week, words: Words): { from: string; to: string } {
  const [from, to] = [startMs, endMs].map((ms) => readerTime(ms, timezone, words.language).day);
  return { from: String(from), to: String(to) };
}

function quietText(week: WeekOfNoise, words: Words): string {
  const { episodes } = week.before;
  const days = daysOf(week, words);
  if (episodes === 0) return words.t('No alert began from {from} to {to}.', days);
  const alerts = alertsText(episodes, words);
  return words.t('No alert began from {from} to {to}, after {alerts} in the week before.', { ...days, alerts });
}

const FACTS = [
  ['Alerts', 'episodes'],
  ['Messages', 'deliveries'],
  ['At night', 'atNight'],
  ['Acknowledged', 'acknowledged'],
  ['Ended alone', 'endedAlone'],
] as const satisfies [Text, keyof NoiseNumbers][];

function factsOf({ noise: { summary }, before }: WeekOfNoise, words: Words): WrittenMail['facts'] {
  return FACTS.map(([name, field]) => ({
    name: words.t(name),
    lines: [changeText(summary[field], before[field], words)],
  }));
}

/** `38, 12 fewer`. */
function changeText(now: number, before: number, words: Words): string {
  const [n, difference] = [numberText(now, words), numberText(Math.abs(now - before), words)];
  if (now === before) return words.t('{n}, as before', { n });
  if (now > before) return words.t('{n}, {difference} more', { n, difference });
  return words.t('{n}, {difference} fewer', { n, difference });
}

/** `too warm: 20 alerts, 40 messages`. */
function ruleFacts({ noise: { rows } }: WeekOfNoise, words: Words): WrittenMail['facts'] {
  const loudest = rows.items.filter(({ episodes }) => episodes > 0).slice(0, MOST_RULES);
  return loudest.map(({ name, episodes, deliveries }, at) => ({
    name: words.t(at === 0 ? 'Noisiest' : 'Then'),
    lines: [`${name ?? ''}: ${alertsText(episodes, words)}, ${messagesText(deliveries, words)}`],
  }));
}

function reportLink(suggestions: number | null, publicUrl: string, words: Words): WrittenMail['links'][number] {
  return { label: linkText(suggestions, words), url: `${publicUrl}/console/reports/alerts` };
}

function linkText(suggestions: number | null, words: Words): string {
  if (!suggestions) return words.t('See the report');
  if (suggestions === 1) return words.t('See the report, and a suggestion for a quieter rule');
  return words.t('See the report, and {n} suggestions for quieter rules', { n: suggestions });
}

function alertsText(count: number, words: Words): string {
  const n = numberText(count, words);
  return count === 1 ? words.t('{n} alert', { n }) : words.t('{n} alerts', { n });
}

function messagesText(count: number, words: Words): string {
  const n = numberText(count, words);
  return count === 1 ? words.t('{n} message', { n }) : words.t('{n} messages', { n });
}

function numberText(number: number, words: Words): string {
  return words.number(String(number));
}
