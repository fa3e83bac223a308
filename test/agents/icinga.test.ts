import assert from 'node:assert/strict';
import { type Front, startFront } from '../support/agents/front';
import { checkConfiguration, type Icinga, startIcinga } from '../support/agents/icinga';
import { ICINGA, skipWithout } from '../support/agents/programs';
import { storedSeries } from '../support/agents/stored-series';
import { createKey } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { codeBlocksIn, readPage } from '../support/markdown';
import { until } from '../support/until';

describe('the writers of Icinga 2 for InfluxDB 1 and 2', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let front: Front;
  let icinga: Icinga;

  before(async function () {
    await skipWithout(this, ICINGA);
    front = await startFront(platform.url);
    const { secret: key } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    icinga = await startIcinga({ port: Number(new URL(front.url).port), key });
  });
  after(async () => {
    await icinga?.close();
    await front?.close();
  });

  /** The values that both writers have brought, by the names of their series. */
  const stored = async () => {
    const all = await storedSeries(user);
    return new Map(all.map(({ name, points }) => [name, points.map(({ value }) => Number(value))]));
  };
  const hasStored = (value: number) =>
    until(`${value} is stored by both`, async () => {
      const values = [...(await stored()).values()];
      return values.length === 2 && values.every((of) => of.includes(value));
    });

  it('bring the result of each check, one series for each of its metrics', async () => {
    await hasStored(2);
    const series = await stored();
    assert.deepEqual([...series.keys()], ['one,hostname=cellar,metric=count', 'two,hostname=cellar,metric=count']);
    for (const values of series.values()) assert.deepEqual(values, [...values.keys()]);
  });

  it('accept the configuration of docs/ways-in.md', async () => {
    const block = codeBlocksIn(readPage('docs/ways-in.md')).find(({ text }) =>
      text.startsWith('object Influxdb2Writer'),
    );
    assert.equal(await checkConfiguration(block?.text ?? assert.fail('no configuration')), 0);
    assert.notEqual(await checkConfiguration('object Influxdb2Writer "platform" { hosts = "a" }'), 0);
  });

  it('lose what is answered by an error, and continue with the next results', async () => {
    const before = Math.max(...[...(await stored()).values()].flat());
    const statuses = [400, 403, 503];
    front.faults = statuses.flatMap((status) => [{ status }, { status }]); // one for each writer
    await hasStored(before + 6);
    const values = [...(await stored()).values()].flat();
    const numbers = Array.from({ length: before + 6 }, (_, value) => value);
    const missing = numbers.flatMap((value) => Array(2 - values.filter((one) => one === value).length).fill(value));
    assert.ok(missing.length >= 2 * statuses.length, `missing: ${missing.join(', ')}`);
    for (const reason of ['Bad Request', 'Forbidden', 'Service Unavailable']) {
      assert.match(icinga.output(), new RegExp(`InfluxdbWriter: Unexpected response code: ${reason}`));
    }
  });
});
