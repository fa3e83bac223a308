import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readPage } from '../../support/markdown';

const ROOT = join(__dirname, '../../..');
const VERSION: string = JSON.parse(readPage('package.json')).version;
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
/** Where the version stands. */
const FILES = [
  ...['package.json', 'client/package.json', 'package-lock.json', 'deploy/chart/Chart.yaml', 'docker-compose.yml'],
  ...['.env.example', 'README.md', 'CHANGELOG.md'],
];

interface Script {
  releaseProblems(root: string, tag?: string): string[];
  notesOf(changelog: string, version: string, repository: string): string;
  writeReleaseFiles(root: string, out: string, release: { repository: string; digest?: string }): void;
}
// Plain JavaScript, which has no types of its own.
const { releaseProblems, notesOf, writeReleaseFiles } = require('../../../scripts/support/release.mjs') as Script;
const run = (name: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts', name), ...args], { encoding: 'utf8', timeout: 60_000 });

describe('a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sensors-release-test-'));
  after(() => rmSync(folder, { recursive: true }));

  /** The files that name the version, with one of them changed. */
  const changed = (file: string, change: (text: string) => string) => {
    const root = mkdtempSync(join(folder, 'root-'));
    for (const each of FILES) {
      mkdirSync(dirname(join(root, each)), { recursive: true });
      cpSync(join(ROOT, each), join(root, each));
    }
    const text = readPage(file);
    assert.notEqual(change(text), text);
    writeFileSync(join(root, file), change(text));
    return root;
  };

  it('has the same version everywhere, and a section of the changelog', () => {
    assert.deepEqual(releaseProblems(ROOT), []);
    for (const file of FILES.slice(1)) {
      const [problem, ...more] = releaseProblems(changed(file, (text) => text.replaceAll(VERSION, '9.9.9')));
      assert.ok(problem?.includes(file), `${file}: ${problem}`);
      assert.equal(more.length, file.endsWith('Chart.yaml') ? 1 : 0);
    }
  });

  it('needs a tag of its version, and nothing that is unreleased', () => {
    const released = changed('CHANGELOG.md', (text) =>
      text.replace(/^## \[Unreleased\][\s\S]*?(?=^## )/m, '## [Unreleased]\n\n'),
    );
    assert.deepEqual(releaseProblems(released, `v${VERSION}`), []);
    assert.match(releaseProblems(released, 'v9.9.9').join(), /the tag is v9\.9\.9/);
    const left = changed('CHANGELOG.md', (text) => text.replace('## [Unreleased]\n', '## [Unreleased]\n\n- a line\n'));
    assert.match(releaseProblems(left, `v${VERSION}`).join(), /has unreleased lines/);
    const undated = changed('CHANGELOG.md', (text) => text.replace(/^(## \[0\.1\.0\]).*$/m, '$1'));
    assert.match(releaseProblems(undated).join(), /has no date/);
  });

  it('has notes from its section alone, whose links lead to the files of its tag', () => {
    const changelog =
      '# Changelog\n\n## [0.2.0] - 2026-12-15\n\n- new ([guide](docs/a.md#b), [site](https://x.org))\n\n## [0.1.0] - 2026-11-29\n\n- old\n';
    const link = 'https://github.com/owner/repository/blob/v0.2.0/docs/a.md#b';
    assert.equal(notesOf(changelog, '0.2.0', 'owner/repository'), `- new ([guide](${link}), [site](https://x.org))\n`);
    assert.throws(() => notesOf(changelog, '0.3.0', 'owner/repository'), /no section of version 0\.3\.0/);
  });

  it('publishes files that name its image by version and digest', () => {
    const out = join(folder, 'out');
    writeReleaseFiles(ROOT, out, { repository: 'Owner/repository', digest: DIGEST });
    const images = readFileSync(join(out, 'compose.yml'), 'utf8').match(/ghcr\.io\S+/g) ?? [];
    assert.deepEqual([...new Set(images)], [`ghcr.io/owner/sensor-data-platform:${VERSION}@${DIGEST}`]);
    const values = readFileSync(join(out, 'chart/values.yaml'), 'utf8');
    assert.match(values, /^ {2}repository: ghcr\.io\/owner\/sensor-data-platform$/m);
    assert.match(values, new RegExp(`^ {2}digest: "${DIGEST}"$`, 'm'));
    assert.ok(readFileSync(join(out, 'notes.md'), 'utf8').length > 1_000);
  });

  it('has an image under its version, and under the moving names unless it is tried before', () => {
    assert.equal(
      run('release-names.mjs', 'Owner', 'v1.2.3').stdout,
      'image=ghcr.io/owner/sensor-data-platform\ncharts=ghcr.io/owner/charts\ntags=ghcr.io/owner/sensor-data-platform:1.2.3,' +
        'ghcr.io/owner/sensor-data-platform:1.2,ghcr.io/owner/sensor-data-platform:latest\n',
    );
    assert.match(run('release-names.mjs', 'owner', 'v1.2.3-rc.1').stdout, /^tags=[^,]*:1\.2\.3-rc\.1$/m);
    for (const tag of ['1.2.3', 'v1.2', 'v1.2.3;id', ''])
      assert.equal(run('release-names.mjs', 'owner', tag).status, 64);
    const pushed = join(folder, 'pushed.txt');
    writeFileSync(pushed, `Pushed: ghcr.io/owner/charts/sensor-data-platform:1.2.3\nDigest: ${DIGEST}\n`);
    assert.equal(run('release-names.mjs', '--digest', pushed).stdout, `digest=${DIGEST}\n`);
  });

  it('is checked by one command', () => {
    const quick = run('release-check.mjs', '--quick');
    assert.equal(quick.status, 0, quick.stderr);
    const other = run('release-check.mjs', '--quick', '--tag', 'v9.9.9');
    assert.equal(other.status, 1);
    assert.match(other.stderr, /the tag is v9\.9\.9/);
    assert.equal(run('release-files.mjs', 'owner', folder).status, 64);
  });
});
