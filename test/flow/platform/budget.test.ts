import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts } from '../../support/budget/counter';
import { MeasuredPlatform } from '../../support/budget/measured-platform';
import { type Measured, measurePatterns, type Pattern, preparePatterns, REFUSED } from '../../support/budget/patterns';
import { LOSSES } from '../../support/budget/planted-losses';
import { useForAll } from '../../support/hooks';

/** At most this much of each, for 1,000 points or reads. A limit is at most a twentieth above what was measured. */
interface Limits {
  counts: Record<string, Partial<Counts>>;
  /** By the major version of node, because each allocates differently. Others are not compared. */
  allocated: Record<string, Record<string, number>>;
}

const LIMITS: Limits = JSON.parse(readFileSync(join(__dirname, '../../budget.json'), 'utf8'));
const [major = ''] = process.versions.node.split('.');

/** What is above its limit: `batches of 250: 40 statements, at most 33`. */
function excesses(measured: Measured): string[] {
  return Object.entries(measured).flatMap(([pattern, counts]) => {
    const limits: Partial<Counts> = { ...LIMITS.counts[pattern], allocated: LIMITS.allocated[major]?.[pattern] };
    return Object.entries(counts).flatMap(([what, count]) => {
      const limit = limits[what as keyof Counts];
      return limit !== undefined && count > limit ? [`${pattern}: ${count} ${what}, at most ${limit}`] : [];
    });
  });
}

function print(measured: Measured): void {
  for (const [pattern, counts] of Object.entries(measured))
    console.log(
      `      ${pattern}: ${Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`,
    );
}

describe('the budget of 1,000 points or reads, one request after another', () => {
  const platform = useForAll(
    () => MeasuredPlatform.start(),
    (each) => each.close(),
  );
  let patterns: Pattern[];

  before(async () => {
    patterns = await preparePatterns(platform);
  });

  it('is kept by every pattern', async () => {
    const measured = await measurePatterns(platform, patterns);
    print(measured);
    const limited = [LIMITS.counts, ...Object.values(LIMITS.allocated)].map((limits) => Object.keys(limits));
    for (const names of limited) assert.deepEqual(names, Object.keys(measured));
    assert.deepEqual(excesses(measured), []);
  });

  for (const loss of LOSSES)
    it(`is exceeded by one ${loss} more in each upload`, async () => {
      await platform.plant(loss);
      const found = excesses(
        await measurePatterns(
          platform,
          patterns.filter(({ name }) => name === REFUSED),
        ),
      );
      console.log(`      ${found.join('\n      ')}`);
      assert.ok(found.length > 0 || !LIMITS.allocated[major], `nothing is above its limit with one ${loss} more`);
    });
});
