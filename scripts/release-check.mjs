// npm run release:check: a release, made on this machine without publishing anything. It checks versions and changelog, then packs and
// installs the client, builds the files of the image, and starts the platform from them as compose.yml does, with a throwaway MySQL
// and Redis. `--quick` only checks and writes the files; `--tag v1.2.3` compares with a tag.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { whenAskedToEnd } from './support/ending.mjs';
import { Guard } from './support/guard.mjs';
import { releaseProblems, versionOf, writeReleaseFiles } from './support/release.mjs';

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, tag: { type: 'string' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sensors-release-'));
const guard = new Guard();
const log = (text) => console.log(text);
guard.removeAtEnd(folder);

whenAskedToEnd('scripts/release-check.mjs', async () => {
  await guard.close();
  process.exit(130);
});

try {
  await check();
  log(`version ${versionOf(root)} can be released`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await guard.close();
  rmSync(folder, { recursive: true, force: true });
}

async function check() {
  const problems = releaseProblems(root, values.tag);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const out = join(folder, 'release');
  writeReleaseFiles(root, out, { repository: 'owner/repository' });
  log('versions and changelog agree; notes.md, compose.yml and the chart are written');
  if (values.quick) return;
  const { checkClient } = await import('./release/client.mjs');
  const { checkImage } = await import('./release/image.mjs');
  const client = await step('the client is packed, and installed in an empty folder', () => checkClient(root, folder));
  await step('the platform runs from the files of the image', () =>
    checkImage({ root, folder, guard, log, client, compose: join(out, 'compose.yml') }),
  );
}

async function step(name, work) {
  const start = Date.now();
  const result = await work();
  log(`${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  return result;
}
