import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { IMPORT_USAGE } from '../../client/src/cli/import/import-options';
import { createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { codeBlocksIn, readPage } from '../support/markdown';

const ROOT = join(__dirname, '../..');
const PAGES = readdirSync(join(ROOT, 'docs/coming-from')).map((name) => `docs/coming-from/${name}`);

describe('the guides for those who come from other platforms', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  it('show rules that the platform takes, whose tests pass', async () => {
    const { secret } = await createKey(user);
    const headers = { 'Content-Type': 'application/yaml', Authorization: `Bearer ${secret}` };
    let count = 0;
    for (const page of PAGES) {
      const sets = codeBlocksIn(readPage(page)).filter(
        ({ language, text }) => language === 'yaml' && /^set: /.test(text),
      );
      for (const { text } of sets) {
        const response = await fetch(`${platform.url}/rules/plan?days=0`, { method: 'POST', headers, body: text });
        const { plan } = (await response.json()) as { plan: { tests: { passed: boolean }[] } };
        assert.equal(response.status, 200, page);
        assert.ok(
          plan.tests.every(({ passed }) => passed),
          `${page}: ${JSON.stringify(plan.tests)}`,
        );
        count += 1;
      }
    }
    assert.equal(count, 2);
  });

  it('show commands with options that exist', () => {
    const commands = [...PAGES, 'client/README.md'].flatMap(
      (page) => readPage(page).match(/npx sensors import [^`\n]*/g) ?? [],
    );
    assert.ok(commands.length >= 8, String(commands.length));
    for (const command of commands) {
      const [, kind = ''] = /^npx sensors import (\w*)/.exec(command) ?? [];
      const isKnown = IMPORT_USAGE.includes(`\n  ${kind} `) || kind === '';
      const unknown = (command.match(/--[\w-]+/g) ?? []).filter(
        (option) => !`${IMPORT_USAGE} --help`.includes(`${option} `) && option !== '--help',
      );
      assert.deepEqual([isKnown, unknown], [true, []], command);
    }
  });
});
