import assert from 'node:assert/strict';
import { type CommentedSource, filesBelow, openSourceReader, wordsIn } from '../../support/comments';

/** Maximum number of words of comment for 100 lines of code. */
const MOST_WORDS = 100;
/** Comments in these files become the OpenAPI document, which says what callers need. */
const OF_THE_API = /\.(?:controller|request|view)\.ts$/;
/** Migrations do not change. */
const MIGRATIONS = /^src\/storage\/migrations\//;
const NEEDS_THE_NEXT_LINE = /^(?:It|They|The same|Its|Each|This|Of)\b/;
const FILE = /(?:[\w.-]+\/)*[\w.-]*\w\.(?:ts|tsx|mjs|cjs|md)\b/g;

const paths = ['src', 'jobs', 'workers'].flatMap((folder) =>
  filesBelow(folder, (path) => path.endsWith('.ts') && !path.startsWith('src/generated/')),
);

describe('comments', () => {
  const sources = new Map<string, CommentedSource>();

  before(async () => {
    const read = await openSourceReader();
    for (const path of paths) sources.set(path, read(path));
  });

  function density(isCounted: (path: string) => boolean): number {
    const counted = [...sources].filter(([path]) => isCounted(path)).map(([, source]) => source);
    const words = counted.reduce((sum, source) => sum + wordsIn(source), 0);
    return (100 * words) / counted.reduce((sum, { codeLines }) => sum + codeLines, 0);
  }

  function problems(wrongIn: (text: string) => string[], isChecked = (_path: string) => true): string[] {
    return [...sources].flatMap(([path, { comments }]) =>
      isChecked(path)
        ? comments.flatMap(({ line, text }) => wrongIn(text).map((wrong) => `${path}:${line}: ${wrong}`))
        : [],
    );
  }

  it('are few', () => {
    const words = density((path) => !OF_THE_API.test(path));
    const ofTheApi = density((path) => OF_THE_API.test(path));
    console.log(`      ${[words, ofTheApi].map((each) => each.toFixed(1)).join(', ')}`);
    assert.ok(words <= MOST_WORDS, `${words} words for 100 lines of code`);
  });

  it('name only files that exist', () => {
    const existing = filesBelow('', () => true).map((path) => `/${path}`);
    const missing = problems((text) =>
      [...text.matchAll(FILE)]
        .map(([name]) => name)
        .filter((name) => !existing.some((path) => path.endsWith(`/${name}`))),
    );
    assert.deepEqual(missing, []);
  });

  it('are understood without the line below', () => {
    const checked = (path: string) => ![OF_THE_API, MIGRATIONS].some((each) => each.test(path));
    const beginnings = problems((text) => (NEEDS_THE_NEXT_LINE.test(text) ? [text.slice(0, 40)] : []), checked);
    assert.deepEqual(beginnings, []);
  });
});
