import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { codeBlocksIn, readPage } from '../../support/markdown';

describe('the commands of docs/live.md', () => {
  const platform = usePlatform();
  const ada = useUser(platform);

  it('stream, go on behind a cursor, and read and upload lines', async () => {
    const id = await buildSensor(ada);
    await upload(ada, id, { value: 21.5, date: '2026-11-21T10:00:00Z' });
    const blocks = codeBlocksIn(readPage('docs/live.md')).filter(({ language }) => language === 'sh');
    const folder = await mkdtemp(join(tmpdir(), 'live-doc-'));
    const outputs: string[] = [];
    try {
      for (const { text } of blocks) outputs.push(await runInBash(text, folder, { SENSOR: id }));
    } finally {
      await rm(folder, { recursive: true });
    }
    const [opened = '', goneOn = '', , uploaded = ''] = outputs;
    assert.match(opened, /^event: open\nid: \S+\ndata: \{\}\n\n$/);
    assert.match(goneOn, /\{"data":\{"accepted":1\}\}event: open\n[\s\S]*event: data\n[\s\S]*"value":"22"\}\n\n$/);
    assert.match(uploaded, /^\{"data":\{"accepted":2\}\}\{"error":"line 3 date must be a time/);
    const { body } = await ada.api.get(`/sensors/${id}/data?total=1`);
    assert.equal(body.total, 2);
  });

  function runInBash(commands: string, cwd: string, more: Record<string, string>): Promise<string> {
    const env = { ...process.env, API: platform.url, SESSION: ada.session, ...more };
    return new Promise((resolve, reject) => {
      const bash = spawn('bash', ['-u', '-c', commands], { cwd, env, timeout: 15_000 });
      let out = '';
      bash.stdout.on('data', (chunk) => {
        out += chunk;
      });
      bash.once('error', reject);
      bash.once('close', () => resolve(out));
    });
  }
});
