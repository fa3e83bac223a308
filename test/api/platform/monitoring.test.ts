import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usePlatform } from '../../support/hooks';
import { metricsIn, metricsOn } from '../../support/metric-names';

const FOLDER = join(__dirname, '../../../docs/operate');
const ALERTS = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8');
const GUIDE = readFileSync(join(FOLDER, 'monitoring.md'), 'utf8');

describe('what watches the platform', () => {
  const platform = usePlatform();
  let known: Set<string>;

  before(async () => {
    known = metricsOn(String((await platform.anonymous.get('/metrics')).body));
  });

  const requireKnown = (queries: readonly string[]) => {
    for (const query of queries) {
      const names = metricsIn(query);
      assert.ok(names.length > 0, query);
      for (const name of names) assert.ok(known.has(name), `${name} is no metric: ${query}`);
    }
  };

  it('finds the metrics of a query', () => {
    assert.deepEqual(metricsIn('sum by (le) (rate(a_bucket{route=~"/b(c)?",x="y"}[5m])) / max(d_e) > 10'), [
      'a_bucket',
      'd_e',
    ]);
  });

  it('are alerts on metrics that exist, each explained', () => {
    requireKnown([...ALERTS.matchAll(/^ +expr: (.+)$/gm)].map(([, query = '']) => query));
    const names = [...ALERTS.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    assert.ok(names.length >= 19);
    for (const name of names) assert.ok(GUIDE.includes(`\`${name}\``), `monitoring.md does not explain ${name}`);
  });

  it('is a dashboard of metrics that exist', () => {
    const { panels } = JSON.parse(readFileSync(join(FOLDER, 'grafana.json'), 'utf8'));
    const targets: { expr: string }[] = panels.flatMap(({ targets: of = [] }) => of);
    requireKnown(targets.map(({ expr }) => expr));
    assert.ok(targets.length > 30);
    const ids = panels.map(({ id }: { id: number }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('is a guide that names every metric, and no other', () => {
    const own = [...known]
      .filter((name) => !/^(process|nodejs)_|^up$/.test(name))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    for (const name of new Set(own)) assert.ok(GUIDE.includes(`\`${name}\``), `monitoring.md does not name ${name}`);
    const cells = [...GUIDE.matchAll(/^\| (`[a-z_0-9]+`(?:, `[a-z_0-9]+`)*) \|/gm)].map(([, cell = '']) => cell);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
    assert.ok(named.length > 30);
    assert.deepEqual(
      named.filter((name) => !own.includes(name)),
      [],
    );
  });
});
