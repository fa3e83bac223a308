'use strict';
const { writeFileSync } = require('node:fs');
const { Runner, reporters } = require('mocha');

/** Mocha's Spec reporter; it also writes the number of passed and failed tests to a file, so that a crash does not hide them. */
class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const counts = { passed: 0, failed: 0, ended: false };
    const count = (change) => () => {
      change();
      if (process.env.TEST_COUNTS_FILE) writeFileSync(process.env.TEST_COUNTS_FILE, JSON.stringify(counts));
    };
    runner.on(
      Runner.constants.EVENT_TEST_PASS,
      count(() => counts.passed++),
    );
    runner.on(
      Runner.constants.EVENT_TEST_FAIL,
      count(() => counts.failed++),
    );
    runner.once(
      Runner.constants.EVENT_RUN_END,
      count(() => {
        counts.ended = true;
      }),
    );
  }
}

module.exports = CountingReporter;
