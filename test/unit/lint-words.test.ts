import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const checker = join(__dirname, '../../scripts/lint-words.mjs');
const glossary = readFileSync(join(__dirname, '../../docs/glossary.md'), 'utf8');

const clean = {
  'docs/glossary.md': glossary,
  'src/reconciler.ts':
    '/** Enqueues nudges for strings that are ringed; the other side returns. */\nconst spring = 1;\n',
  'src/platform/config.ts': "const levels = ['info', 'silent'];\n",
  'src/storage/migrations/2026-create-learnings.ts': '// he rings the doorbell\n',
  'src/generated/routes.ts': '// silence\n',
  'test/unit/lint-words.test.ts': '// whoever rings\n',
  'README.md': 'The level `silent` logs nothing.\n',
  'docs/style.md': '| in turns | interleaved |\n',
};

const planted: [string, string, string, RegExp][] = [
  [
    'a word in a comment',
    'src/bad.ts',
    '// first\n// the doorbell',
    /^src\/bad\.ts:2: "doorbell" is retired, say: nudge$/,
  ],
  ['a word at the end of a name', 'src/bad.ts', 'const isParked = 1;', /^src\/bad\.ts:1: "Parked" is retired/],
  ['a word at the start of a name', 'src/bad.ts', 'const turnAt = 1;', /^src\/bad\.ts:1: "turn" is retired/],
  ['a word in the name of a type', 'src/bad.ts', 'type JournalRow = 1;', /^src\/bad\.ts:1: "Journal" is retired/],
  ['a retired phrase', 'src/bad.ts', '// a plain upload', /^src\/bad\.ts:1: "plain upload" is retired/],
  [
    'a word that only other rooms may have',
    'src/language/bad.ts',
    '// a lane',
    /^src\/language\/bad\.ts:1: "lane" is retired/,
  ],
  ['a word in capitals', 'src/bad.ts', '/** Rings for rows. */', /src\/bad\.ts:1: "Rings" is retired/],
  ['a word in a text for users', 'src/bad.ts', "throw new Error('his sensor');", /"his" is retired, say: they, their/],
  ['several words over a line break', 'docs/bad.md', 'kept for\never', /docs\/bad\.md:1: "for ever" is retired/],
  ['a word in a job', 'jobs/bad.job.ts', '// whoever asks', /jobs\/bad\.job\.ts:1: "whoever"/],
  ['a word in a worker', 'workers/bad.worker.ts', '// begins anew', /workers\/bad\.worker\.ts:1: "anew"/],
  ['a word in a test', 'test/bad.test.ts', "it('tells nobody');", /test\/bad\.test\.ts:1: "tells"/],
  ['a word in a script', 'scripts/bad.mjs', '// begins anew', /scripts\/bad\.mjs:1: "anew"/],
  ['a word in a benchmark', 'scripts/bench/bad.mjs', '// beside it', /scripts\/bench\/bad\.mjs:1: "beside"/],
  ['a word in a decision', 'docs/decisions/bad.md', 'a turn', /docs\/decisions\/bad\.md:1: "turn"/],
  ['a word that the style page does not quote', 'docs/style.md', 'a lane', /docs\/style\.md:1: "lane"/],
  ['a word in the README', 'README.md', 'beside it', /README\.md:1: "beside"/],
  [
    'a word of the glossary before its list',
    'docs/glossary.md',
    `it is ailing\n${glossary}`,
    /glossary\.md:1: "ailing"/,
  ],
  ['a word next to one that is allowed', 'src/bad.ts', "level = 'silent'; // silent", /src\/bad\.ts:1: "silent"/],
];

describe('the checker of words', () => {
  it('accepts texts without retired words', () => {
    assert.deepEqual(check(clean), { status: 0, messages: '' });
  });

  for (const [what, file, text, message] of planted) {
    it(`reports ${what}`, () => {
      const { status, messages } = check({ ...clean, [file]: `${text}\n` });
      assert.equal(status, 1);
      assert.match(messages.trim(), message);
      assert.equal(messages.trim().split('\n').length, 1, messages);
    });
  }

  it('fails without a list of words', () => {
    assert.equal(check({ ...clean, 'docs/glossary.md': '# Glossary\n' }).status, 1);
  });

  it('accepts this project', () => {
    const { status, stderr } = spawnSync(process.execPath, [checker], { encoding: 'utf8' });
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });
});

function check(files: Record<string, string>): { status: number | null; messages: string } {
  const root = mkdtempSync(join(tmpdir(), 'words-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    const { status, stderr } = spawnSync(process.execPath, [checker, root], { encoding: 'utf8' });
    return { status, messages: stderr };
  } finally {
    rmSync(root, { recursive: true });
  }
}
