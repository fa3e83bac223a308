import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMailTransport } from '../../src/notifications/delivery/channels/open-mail-transport';
import { DataFolder } from '../../src/platform/data-folder';
import { createLogger, type Logger } from '../../src/platform/logger';
import { fakeClock } from '../support/fake-clock';

const DAY_MS = 86_400_000;

describe('the data folder', () => {
  const clock = fakeClock();
  let folder: string;
  let lines: string[];
  let logger: Logger;

  const modeOf = (...parts: string[]) => (statSync(join(folder, ...parts)).mode & 0o777).toString(8);
  const mails = () => openMailTransport({ mailFrom: 'a@example.org', dataDir: folder }, clock, logger);
  const send = (subject: string) =>
    mails().send({ id: subject.length.toString(), to: 'b@example.org', subject, text: '' });
  const open = async () => {
    const data = new DataFolder(folder, clock, logger);
    await data.open();
    data.stop();
  };

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'data-folder-')), 'new', 'data');
    lines = [];
    logger = createLogger('debug', 'test', { write: (line: string) => lines.push(line) });
  });
  afterEach(() => rmSync(join(folder, '../..'), { recursive: true, force: true }));

  it('is made for its user alone by the first mail, whose subject is not logged', async () => {
    const umask = process.umask(0o000);
    try {
      await send('Freezer of the Smiths is warm');
    } finally {
      process.umask(umask);
    }
    const [file = ''] = readdirSync(join(folder, 'outbox'));
    assert.deepEqual([modeOf('..'), modeOf(), modeOf('outbox'), modeOf('outbox', file)], ['700', '700', '700', '600']);
    assert.match(lines.join(''), /outbox/);
    assert.doesNotMatch(lines.join(''), /Smiths|example\.org/);
  });

  it('is closed to others at the start, with what is in it', async () => {
    await send('a mail');
    const [file = ''] = readdirSync(join(folder, 'outbox'));
    writeFileSync(join(folder, 'secrets.key'), 'x');
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'secrets.key'), 0o644);
    chmodSync(join(folder, 'outbox'), 0o777);
    chmodSync(join(folder, 'outbox', file), 0o664);
    await open();
    assert.deepEqual([modeOf(), modeOf('secrets.key'), modeOf('outbox')], ['700', '600', '700']);
    assert.equal(modeOf('outbox', file), '600');
    await open();
  });

  it('stays as it is where everybody writes to it, with a warning', async () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1777);
    await open();
    assert.equal(modeOf(), '777');
    assert.match(lines.join(''), /one that others write to/);
  });

  it('may be missing', async () => {
    await open();
    assert.deepEqual([existsSync(folder), lines], [false, []]);
  });

  it('loses the mails of its outbox after a week, and nothing else', async () => {
    const outbox = join(folder, 'outbox');
    await send('old');
    const [old = ''] = readdirSync(outbox);
    writeFileSync(join(outbox, `.${old}`), 'a draft of a process that was killed');
    writeFileSync(join(outbox, 'notes.eml'), 'not ours');
    clock.advance(DAY_MS);
    await send('younger');
    clock.advance(6 * DAY_MS);
    await open();
    assert.equal(readdirSync(outbox).length, 4, 'a week is not over yet');
    clock.advance(1);
    await open();
    const left = readdirSync(outbox).sort();
    assert.equal(left.length, 2);
    assert.match(left[0] ?? '', /-7\.eml$/);
    assert.equal(left[1], 'notes.eml');
  });
});
