// Which tests a change can reach: npm test -- --related.
import { execFileSync } from 'node:child_process';
import { importsIn, wings } from '../lint-imports.mjs';

const FOLDERS = ['src', 'jobs', 'workers', 'client', 'test'];
/** Tests that start the platform: they reach a wing by HTTP and rows, so their folder says which one they test. */
const BY_FOLDER = ['test/api', 'test/flow'];
/** They read the program and its documentation as texts. */
const READS_FILES = /^test\/unit\/(docs\/|file-sizes|lint-|products|row-owners)/;
/** Of these files everything is made. They are tested with what belongs to no wing, and by their unit tests. */
const GROUND = 'platform';

/** The files that differ from where this branch left `base`, committed or not. */
export function changedFiles(root, base) {
  const git = (...given) => execFileSync('git', given, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const [from] = git('merge-base', 'HEAD', base);
  return [...git('diff', '--name-only', '--no-renames', from), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Those of the test files that a change of these files can reach. */
export function relatedTests(root, changed, files) {
  const reached = importersOf(changed, importsIn(root, FOLDERS));
  const places = new Set(changed.flatMap(placeOf));
  return files.filter((file) => {
    const isOfPlace = BY_FOLDER.some((folder) => [...places].some((place) => file.startsWith(`${folder}/${place}/`)));
    return isOfPlace || reached.has(file.replace(/\.ts$/, '')) || isOfFolder(file, changed);
  });
}

/** The wing of a file of the program; `platform` for what all wings use. */
function placeOf(file) {
  const wing = wings.find((each) => file.startsWith(`${each}/`));
  if (wing) return [wing.replace('src/', '')];
  return /^(src|workers|jobs)\//.test(file) ? [GROUND] : [];
}

/** Tests without imports of what they test: of pages in the browser, of documentation, and of scripts. */
function isOfFolder(file, changed) {
  const has = (pattern) => changed.some((name) => pattern.test(name));
  if (file.startsWith('test/browser/')) return has(/^console\//);
  if (file.startsWith('test/client/')) return has(/^client\//);
  return (
    READS_FILES.test(file) && has(/\.md$|^(docs|src|jobs|workers|deploy|\.github)\/|^(Dockerfile|docker-compose\.yml)$/)
  );
}

/** These files and all that import them, directly or not. A type does not exist when tests run. */
function importersOf(changed, imports) {
  const importers = new Map();
  for (const { file, target, isType } of imports) {
    if (!target || isType) continue;
    importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  const reached = new Set();
  const left = changed.map((name) => name.replace(/\.tsx?$/, ''));
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    // A door is imported by half of the program; what goes through it is tested by the wing.
    if (reached.has(file) || /^src\/\w+\/index$/.test(file) || file.startsWith('src/container/')) continue;
    reached.add(file);
    left.push(...(importers.get(file) ?? []));
  }
  return reached;
}
