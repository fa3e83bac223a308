// Judges what the reporter has counted in a run of mocha.
import { relative, resolve } from 'node:path';
import { mayBeSkipped } from './skips.mjs';

const SELECTS_TESTS = /^(-g|--grep|-f|--fgrep)(=|$)/;

/**
 * The numbers of passed, failed and skipped tests, and the lines that explain failures without a test: mocha ended before
 * its last test, a file without a result, and, if `isStrict`, a skip that is not in the list. `code` is mocha's exit code,
 * `given` its arguments.
 */
export function judgeCounts(counts, { code, given, root, isStrict }) {
  const { passed = 0, failed = 0, ended = false, files = [], skipped = [] } = counts ?? {};
  const lines = [];
  const missing = given.some((argument) => SELECTS_TESTS.test(argument)) ? [] : filesWithout(files, given, root);
  for (const file of missing) lines.push(`${file} has no result`);
  const crashed = !ended || (code !== 0 && failed === 0);
  if (crashed) lines.push(`mocha ended early (exit code ${code})`);
  const unexpected = isStrict ? skipped.filter(({ file }) => !mayBeSkipped(relative(root, file))) : [];
  for (const { file, title } of unexpected)
    lines.push(`skipped, and not in skips.mjs: ${relative(root, file)}: ${title}`);
  const more = missing.length + unexpected.length + (crashed && missing.length === 0 ? 1 : 0);
  return { passed, failed: failed + more, skipped: skipped.length, lines };
}

function filesWithout(files, given, root) {
  const known = new Set(files);
  return given.filter((name) => name.endsWith('.ts') && !name.includes('*') && !known.has(resolve(root, name)));
}
