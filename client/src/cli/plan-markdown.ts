import { countText, episodeText, fieldTexts, numbersOf, shownChanges } from './plan-text';
import type { Plan } from './responses';

/** What GitHub takes in a comment, with room for a greeting. */
const LONGEST = 60_000;

/** A plan for a comment on a pull request. */
export function markdownOf(plan: Plan, file: string): string {
  const parts = [
    `### Rules: ${code(file)}`,
    countText(plan.changes),
    changesOf(plan),
    testsOf(plan, file),
    effectOf(plan),
    plan.warning ? `⚠ ${cell(plan.warning)}` : '',
  ];
  const text = [...parts.filter(Boolean), `<sub>digest ${code(plan.digest)}</sub>`].join('\n\n');
  return `${text.length > LONGEST ? `${text.slice(0, LONGEST)}\n\n… and more` : text}\n`;
}

function changesOf({ changes }: Plan): string {
  const shown = shownChanges(changes);
  if (shown.length === 0) return '';
  const rows = shown.map((change) => {
    const { action, kind, name, adopted, drift } = change;
    const notes = [
      ...fieldTexts(change).map(code),
      ...(adopted ? ['is taken over'] : []),
      ...(drift.length > 0 ? [`⚠ changed elsewhere: ${drift.map(code).join(', ')}`] : []),
    ];
    return `| ${action} | ${kind} | ${cell(name)} | ${notes.join('<br>')} |`;
  });
  return ['| | | name | fields |', '|---|---|---|---|', ...rows].join('\n');
}

function testsOf({ tests }: Plan, file: string): string {
  if (tests.length === 0) return '';
  const failed = tests.filter(({ passed }) => !passed);
  const lines = failed.flatMap(({ name, differences }) => [
    `- ✗ ${cell(name)}`,
    ...differences.map(({ line, path, error }) => `  - ${code(`${file}:${line}`)} ${code(path)} ${cell(error)}`),
  ]);
  const sign = failed.length > 0 ? '✗' : '✓';
  return [`${sign} ${tests.length - failed.length} of ${tests.length} tests passed`, ...lines].join('\n');
}

function effectOf({ effect }: Plan): string {
  const { triggers } = effect;
  if (triggers.length === 0) return '';
  const row = (name: string, one: Parameters<typeof numbersOf>[0]) => `| ${name} | ${numbersOf(one).join(' | ')} |`;
  const table = [
    '| on stored data | alerts | deliveries | at night |',
    '|---|---|---|---|',
    ...triggers.map((one) => row(cell(one.trigger), one)),
    ...(triggers.length > 1 ? [row('**all**', effect)] : []),
  ];
  const details = triggers.flatMap(({ trigger, vanish, appear, vanish_count, appear_count, open, note }) => {
    const ending = open.filter(({ stays }) => !stays).length;
    return [
      ...folded(`${code(trigger)}: ${vanish_count} alerts are gone`, vanish),
      ...folded(`${code(trigger)}: ${appear_count} alerts are new`, appear),
      ...(ending > 0 ? [`⚠ ${cell(trigger)}: ${ending} open alerts end`] : []),
      ...(note ? [`⚠ ${cell(trigger)}: ${cell(note)}`] : []),
    ];
  });
  return [table.join('\n'), ...details].join('\n\n');
}

function folded(title: string, episodes: Parameters<typeof episodeText>[0][]): string[] {
  if (episodes.length === 0) return [];
  const lines = episodes.slice(0, 20).map((one) => `- ${episodeText(one)}`);
  return [`<details><summary>${title}</summary>\n\n${lines.join('\n')}\n\n</details>`];
}

/** Texts of users end neither a row nor a tag. */
function cell(text: string): string {
  return text
    .replace(/[\\|`*_[\]~@#]/g, '\\$&')
    .replace(/</g, '&lt;')
    .replace(/\s+/g, ' ');
}

/** GitHub reads Markdown between tags, but not in entities. */
function code(text: string): string {
  const shown = text
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\|`*_[\]~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  return `<code>${shown}</code>`;
}
