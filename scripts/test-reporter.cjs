'use strict';
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { Runner, reporters } = require('mocha');

const {
  EVENT_HOOK_END,
  EVENT_RUN_END,
  EVENT_TEST_END,
  EVENT_TEST_FAIL,
  EVENT_TEST_PASS,
  EVENT_TEST_PENDING,
  EVENT_TEST_RETRY,
} = Runner.constants;
/** Number of slowest files that are listed after a run of more files. */
const LISTED_FILES = 25;

/**
 * Mocha's Spec reporter; it also writes the number of passed and failed tests, the skipped ones and the files they were in to
 * a file, so that a crash does not hide them, says which tests are tried again, and lists the slowest files, hooks
 * included.
 */
class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const files = new Set();
    const counts = { passed: 0, failed: 0, skipped: [], ended: false, files: [], seconds: {} };
    const spent = measureFiles(runner);
    const count = (change) => (test) => {
      change(test);
      if (test?.file && !files.has(test.file)) counts.files = [...files.add(test.file)];
      if (process.env.TEST_COUNTS_FILE) writeFileSync(process.env.TEST_COUNTS_FILE, JSON.stringify(counts));
    };
    runner.on(
      EVENT_TEST_PASS,
      count(() => counts.passed++),
    );
    runner.on(
      EVENT_TEST_FAIL,
      count(() => counts.failed++),
    );
    runner.on(
      EVENT_TEST_PENDING,
      count((test) => counts.skipped.push({ file: test.file, title: test.fullTitle() })),
    );
    runner.once(
      EVENT_RUN_END,
      count(() => {
        counts.ended = true;
        for (const [file, ms] of spent) counts.seconds[file] = Math.round(ms / 100) / 10;
      }),
    );
    // Spec explains failures at the end, which a run that is stopped does not reach.
    runner.on(EVENT_TEST_FAIL, ({ file }, { message }) =>
      console.log(`       ${relative(process.cwd(), file ?? '')}: ${message}`),
    );
    // Only tests that measure time are tried again: a machine that is busy elsewhere delays one try, but hardly three.
    runner.on(EVENT_TEST_RETRY, (test, { message }) => console.log(`       again: ${test.title}: ${message}`));
    runner.once(EVENT_RUN_END, () => listSlowFiles(spent));
  }
}

/** The milliseconds that tests and hooks of each file have taken so far. */
function measureFiles(runner) {
  const spent = new Map();
  const add = ({ file, duration }) => {
    if (!file) return;
    const name = relative(process.cwd(), file);
    spent.set(name, (spent.get(name) ?? 0) + (duration ?? 0));
  };
  runner.on(EVENT_TEST_END, add);
  runner.on(EVENT_HOOK_END, add);
  return spent;
}

function listSlowFiles(spent) {
  if (spent.size <= LISTED_FILES) return;
  const slowest = [...spent].sort((a, b) => b[1] - a[1]).slice(0, LISTED_FILES);
  console.log('\n  the slowest files, in seconds');
  for (const [file, ms] of slowest) console.log(`    ${(ms / 1000).toFixed(1).padStart(6)}  ${file}`);
}

module.exports = CountingReporter;
