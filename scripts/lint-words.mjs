// npm run lint: rejects retired words. The last table of docs/glossary.md lists them. A folder may be given as argument.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GLOSSARY = 'docs/glossary.md';
const HEADING = '## Retired words';
const places = [
  ...['src', 'jobs', 'workers', 'console', 'test', 'scripts', 'bench', 'docs'],
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
];
/** Generated, never changed after merging, the test of this list, or no text. */
const skipped = [
  'src/generated',
  'src/storage/migrations',
  'test/unit/lint-words.test.ts',
  'docs/images',
  'test/browser/pictures',
];

/** One message for each retired word in the texts of a repository. */
export function findRetiredWords(root) {
  const rules = readRules(readFileSync(join(root, GLOSSARY), 'utf8'));
  return places.flatMap((place) => filesIn(root, place)).flatMap((file) => problemsIn(root, file, rules));
}

/** The last column lists exceptions: quoted values or names of files that may contain the word. */
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
    const pattern = codesIn(words)
      .map((word) => word.replaceAll(' ', '\\s+'))
      .join('|');
    return { pattern: new RegExp(`\\b(?:${pattern})\\b`, 'gi'), instead, exceptions: codesIn(exceptions) };
  });
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
  const text = file === GLOSSARY ? whole.slice(0, whole.length - section(whole).length) : whole;
  return rules.flatMap(({ pattern, instead, exceptions }) =>
    [...text.matchAll(pattern)]
      .filter(({ index, 0: word }) => !exceptions.some((exception) => covers(text, exception, index, word.length)))
      .map(({ index, 0: word }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${file}:${line}: "${word.replace(/\s+/g, ' ')}" is retired, say: ${instead}`;
      }),
  );
}

/** Whether these characters are part of an exception. */
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
