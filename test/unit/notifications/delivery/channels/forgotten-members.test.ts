import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelDescriptor } from '../../../../../src/notifications/delivery/channels/channel';

const ROOT = join(__dirname, '../../../../..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The members of a complete channel. A new member of the descriptor needs a line here, too. */
const MEMBERS: Record<keyof ChannelDescriptor, string> = {
  checkDestination: "(destination: string) => (destination === '' ? 'must be a number' : null)",
  receiverOf: "() => 'pager'",
  isReceiverFailure: '() => true',
  showsAlert: '() => false',
  show: "function* () { return { method: null, url: '', contentType: '', headers: {}, body: '' }; }",
  open: "() => ({ send: async () => ({ kind: 'delivered' as const }), close: async () => undefined })",
};

describe('the compiler, when a channel is added by its file and a line in the table,', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'channels-'));
    for (const name of ['src', 'jobs', 'workers', 'client', 'console', 'test', 'tsconfig.json']) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('reports nothing but the rig that the shared tests need', () => {
    plant({ pager: MEMBERS });
    const errors = compile('src', 'workers', 'test');
    assert.equal(errors.length, 1, errors.join('\n'));
    assert.match(errors.join(), /^test\/support\/channel-rigs\.ts.*Property 'pager' is missing/);
  });

  it('names each member that a channel lacks, at its line in the table', () => {
    const names = Object.keys(MEMBERS);
    const planted = names.map((member) => [`without_${member}`, { ...MEMBERS, [member]: undefined }]);
    const cannotSend = { ...MEMBERS, open: '() => ({ close: async () => undefined })' };
    const table = plant({ ...Object.fromEntries(planted), without_send: cannotSend });
    const errors = compile('src/notifications/delivery/channels/index.ts');
    for (const member of [...names, 'send']) {
      const line = table.indexOf(`  without_${member},`) + 1;
      const found = errors.filter((error) => error.startsWith(`src/notifications/delivery/channels/index.ts(${line},`));
      assert.equal(found.length, 1, `${member}: ${errors.join('\n')}`);
      assert.match(found.join(), new RegExp(`Property '${member}' is missing`));
    }
  });

  /** Writes a file for each channel and adds its line to the table. Returns the lines of the table's file. */
  function plant(channels: Record<string, Record<string, string | undefined>>): string[] {
    const path = join(folder, 'src/notifications/delivery/channels/index.ts');
    let source = readFileSync(path, 'utf8');
    for (const [name, members] of Object.entries(channels)) {
      const lines = Object.entries(members).flatMap(([member, value]) => (value ? `  ${member}: ${value},\n` : []));
      const file = `export const ${name} = {\n${lines.join('')}};\n`;
      writeFileSync(join(folder, `src/notifications/delivery/channels/${name}.channel.ts`), file);
      source = `import { ${name} } from './${name}.channel';\n${source.replace('  email: emailChannel,', `$&\n  ${name},`)}`;
    }
    writeFileSync(path, source);
    return source.split('\n');
  }

  /** The errors of these files and of all that they import. */
  function compile(...include: string[]): string[] {
    writeFileSync(join(folder, 'tsconfig.planted.json'), JSON.stringify({ extends: './tsconfig.json', include }));
    const options = ['--noEmit', '--pretty', 'false', '-p', 'tsconfig.planted.json'];
    const { stdout } = spawnSync(process.execPath, [COMPILER, ...options], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
    });
    return stdout.split(/\n(?=\S)/).filter((error) => error.includes('error TS'));
  }
});
