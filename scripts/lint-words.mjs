// npm run lint: rejects retired words. The last table of docs/glossary.md lists them. A folder may be given as argument.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GLOSSARY = 'docs/glossary.md';
const HEADING = '## Retired words';
const places = [
  ...['src', 'jobs', 'workers', 'console', 'test', 'scripts', 'docs'],
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
];
/** Generated, never changed after merging, this list and its test, other languages, or no text. */
const skipped = [
  'src/generated',
  'src/storage/migrations',
  'scripts/lint-words.mjs',
  'test/unit/lint-words.test.ts',
  'console/languages',
  'docs/images',
  'test/browser/console-german.test.ts',
  'test/browser/pictures',
  'console/public/icons',
];

/** Files that may use retired words, each with the first words of the rules that do not apply to it. */
const exempt = {
  // It quotes bad examples.
  'docs/style.md': ['turn', 'remember'],
};

/** One message for each retired word in the texts of a repository. */
export function findRetiredWords(root) {
  const rules = readRules(readFileSync(join(root, GLOSSARY), 'utf8'));
  return places.flatMap((place) => filesIn(root, place)).flatMap((file) => problemsIn(root, file, rules));
}

/** The last column lists exceptions: texts that may contain the word. */
function readRules(glossary) {
  const rows = section(glossary)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  if (rows.length === 0) throw new Error(`${GLOSSARY} has no table under "${HEADING}"`);
  return rows.map((row) => {
    const [words = '', instead = '', exceptions = ''] = row
      .slice(1)
      .split('|')
      .map((cell) => cell.trim());
    const retired = codesIn(words);
    return { name: retired[0], patterns: patternsOf(retired), instead, exceptions: codesIn(exceptions) };
  });
}

/** Finds the words in texts, in any letter case, and as a part of a name in camel case. */
function patternsOf(words) {
  const single = words.filter((word) => !word.includes(' '));
  const capital = single.map((word) => word[0].toUpperCase() + word.slice(1)).join('|');
  const inNames = [
    `\\b(?:${single.join('|')})(?=[A-Z])`,
    `(?<=[a-z0-9])(?:${capital})(?![a-z])`,
    `\\b(?:${capital})(?=[A-Z])`,
  ];
  const inTexts = `(?<!\\p{L})\\b(?:${words.map((word) => word.replaceAll(' ', '\\s+')).join('|')})\\b`;
  return [new RegExp(inTexts, 'giu'), ...(single.length > 0 ? [new RegExp(inNames.join('|'), 'g')] : [])];
}

function section(glossary) {
  const start = glossary.indexOf(HEADING);
  return start === -1 ? '' : glossary.slice(start);
}

/** The code in backticks; double backticks enclose code that contains one. */
function codesIn(cell) {
  return [...cell.matchAll(/(`+) ?(.+?) ?\1(?!`)/g)].map((found) => found[2]);
}

function problemsIn(root, file, rules) {
  const whole = readFileSync(join(root, file), 'utf8');
  const text = file === GLOSSARY ? withoutOlderNames(whole) : whole;
  const applied = rules.filter(({ name }) => !exempt[file]?.includes(name));
  return applied.flatMap(({ patterns, instead, exceptions }) =>
    patterns
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .filter(({ index, 0: word }) => !exceptions.some((exception) => covers(text, exception, index, word.length)))
      .map(({ index, 0: word }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${file}:${line}: "${word.replace(/\s+/g, ' ')}" is retired, say: ${instead}`;
      }),
  );
}

/** The glossary without the list of retired words, and without the third column of its tables: the older names. */
function withoutOlderNames(glossary) {
  const terms = glossary.slice(0, glossary.length - section(glossary).length);
  return terms.replaceAll(/^(\|[^|\n]*\|[^|\n]*\|)[^|\n]*\|$/gm, '$1');
}

/** True if these characters are part of an exception. */
function covers(text, exception, index, length) {
  const from = Math.max(0, index + length - exception.length);
  const at = text.slice(from, index + exception.length).indexOf(exception);
  return at >= 0 && from + at <= index;
}

function filesIn(root, place) {
  const path = join(root, place);
  if (!existsSync(path) || skipped.includes(place)) return [];
  if (!statSync(path).isDirectory()) return [place];
  return readdirSync(path).flatMap((name) => filesIn(root, `${place}/${name}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = findRetiredWords(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  for (const each of problems) console.error(each);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
