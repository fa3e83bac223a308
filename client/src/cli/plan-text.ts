import { styleText } from 'node:util';
import type { Applied, Plan, RuleTest } from './responses';

type Change = Plan['changes'][number];
type Colour = 'green' | 'yellow' | 'red' | 'bold' | 'dim';

/** Marks a part of a text for people. */
export type Style = (colour: Colour, text: string) => string;

export const terminalStyle: Style = (colour, text) => styleText(colour, text, { validateStream: false });
export const plainStyle: Style = (_colour, text) => text;

const SIGNS = { create: '+', update: '~', delete: '-', none: '=' } as const;
const COLOURS = { create: 'green', update: 'yellow', delete: 'red', none: 'dim' } as const;
const LONGEST_VALUE = 60;
const EPISODES_SHOWN = 5;

/** The changes, tests and effect of a plan, for a terminal. */
export function planText(plan: Plan, file: string, style: Style): string {
  const parts = [changesText(plan.changes, style)];
  if (plan.tests.length > 0) parts.push(testsText(plan.tests, file, style));
  const effect = effectText(plan, style);
  if (effect) parts.push(effect);
  if (plan.warning) parts.push(style('yellow', plan.warning));
  return `${parts.join('\n')}\n${style('dim', `digest ${plan.digest}`)}\n`;
}

/** What was applied, for a terminal. */
export function appliedText({ changes, kept, ended }: Applied, style: Style): string {
  const open = kept + ended > 0 ? `Open alerts of changed triggers: ${kept} kept, ${ended} ended.\n` : '';
  return changesText(changes, style, true) + open;
}

/** The outcome of tests, each difference with its place in the file. */
export function testsText(tests: readonly RuleTest[], file: string, style: Style): string {
  const failed = tests.filter(({ passed }) => !passed);
  const lines = failed.flatMap(({ name, differences }) => [
    style('red', `✗ ${name}`),
    ...differences.map(({ line, column, path, error }) => `    ${file}:${line}:${column}  ${path} ${error}`),
  ]);
  const counted = `${tests.length - failed.length} of ${tests.length} tests passed`;
  return [...lines, style(failed.length > 0 ? 'red' : 'green', counted), ''].join('\n');
}

/** `hold: 0 → 300` for each field. */
export function fieldTexts({ action, fields }: Change): string[] {
  return Object.entries(fields).map(([field, [before, after]]) =>
    action === 'create' ? `${field}: ${short(after)}` : `${field}: ${short(before)} → ${short(after)}`,
  );
}

/** `Plan: 2 to create, 1 to update.` or `Applied: 2 created, 1 updated.` */
export function countText(changes: readonly Change[], isApplied = false): string {
  const counts = (['create', 'update', 'delete'] as const).flatMap((action) => {
    const count = changes.filter((one) => one.action === action).length;
    return count === 0 ? [] : `${count} ${isApplied ? `${action}d` : `to ${action}`}`;
  });
  if (counts.length === 0) return isApplied ? 'Nothing was changed.' : 'Nothing to do.';
  return `${isApplied ? 'Applied' : 'Plan'}: ${counts.join(', ')}.`;
}

/** `14 → 3` for alerts, deliveries, and those at night. */
export function numbersOf({
  episodes,
  deliveries,
  at_night,
}: Pick<Plan['effect'], 'episodes' | 'deliveries' | 'at_night'>): string[] {
  return [episodes, deliveries, at_night].map((both) => both.map((number) => number ?? '–').join(' → '));
}

/** Leaves out unchanged entries, unless the set takes them over or they were changed elsewhere. */
export function shownChanges(changes: readonly Change[]): Change[] {
  return changes.filter(({ action, adopted, drift }) => action !== 'none' || adopted || drift.length > 0);
}

/** When an episode began and how long it lasted. */
export function episodeText({ sensor_id, date, ended }: Plan['effect']['triggers'][number]['vanish'][number]): string {
  const seconds = ended === null ? null : Math.round(ended - date);
  const lasted = seconds === null ? 'lasts' : lengthText(seconds);
  return `${new Date(date * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC, sensor ${sensor_id}, ${lasted}`;
}

/** Rounded, in seconds, minutes or hours. */
function lengthText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

function changesText(changes: readonly Change[], style: Style, isApplied = false): string {
  const width = Math.max(0, ...changes.map(({ kind, name }) => `${kind} ${name}`.length));
  const lines = shownChanges(changes).flatMap((change) => {
    const { action, kind, name, adopted, drift } = change;
    const notes = [
      ...(adopted ? ['is taken over'] : []),
      ...(drift.length > 0 ? [`changed elsewhere: ${drift.join(', ')}`] : []),
    ];
    const title = `${kind} ${name}`.padEnd(notes.length > 0 ? width : 0);
    const first = `${SIGNS[action]} ${title}${notes.length > 0 ? `  (${notes.join('; ')})` : ''}`;
    return [style(COLOURS[action], first), ...fieldTexts(change).map((text) => `    ${text}`)];
  });
  return [...lines, style('bold', countText(changes, isApplied)), ''].join('\n');
}

function effectText({ effect }: Plan, style: Style): string {
  const { triggers } = effect;
  if (triggers.length === 0) return '';
  const rows = [
    ['Effect on stored data', 'alerts', 'deliveries', 'at night'],
    ...triggers.map((one) => [one.trigger, ...numbersOf(one)]),
    ...(triggers.length > 1 ? [['all', ...numbersOf(effect)]] : []),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const table = rows.map((row, index) => {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
    return index === 0 ? style('bold', line) : line;
  });
  const details = triggers.flatMap(({ trigger, vanish, appear, vanish_count, appear_count, open, note }) => [
    ...listed(vanish, vanish_count, `${trigger}: gone`),
    ...listed(appear, appear_count, `${trigger}: new`),
    ...(open.some(({ stays }) => !stays)
      ? [style('red', `${trigger}: ${open.filter(({ stays }) => !stays).length} open alerts end`)]
      : []),
    ...(note ? [style('yellow', `${trigger}: ${note}`)] : []),
  ]);
  return [...table, ...details, ''].join('\n');
}

function listed(episodes: Parameters<typeof episodeText>[0][], count: number, title: string): string[] {
  if (count === 0) return [];
  const shown = episodes.slice(0, EPISODES_SHOWN).map((one) => `    ${episodeText(one)}`);
  return [`${title} (${count})`, ...shown, ...(count > shown.length ? [`    and ${count - shown.length} more`] : [])];
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`;
}
