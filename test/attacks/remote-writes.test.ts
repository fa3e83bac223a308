import assert from 'node:assert/strict';
import { createKey } from '../support/factories';
import { flood } from '../support/flood';
import { useBystander, useStandingPlatform } from '../support/hooks';
import { block, field, label, timeseries } from '../support/remote-write-bytes';

const BYTES = 10_000_000;

describe('an attack by messages of remote write that hold no sample', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);

  it('by series, labels and fields of 10 MB harms no other user, and is refused', async () => {
    const user = await platform.user();
    const { secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    const headers = {
      ...{ Authorization: `Bearer ${secret}`, 'Content-Type': 'application/x-protobuf' },
      'Content-Encoding': 'snappy',
    };
    const filled = (part: Buffer) => Buffer.alloc(Math.floor(BYTES / part.length) * part.length, part);
    const bodies = [
      filled(timeseries(label('__name__', 'a'))),
      timeseries(filled(label('a', '1'))),
      timeseries(field(1, filled(field(1, '')))),
      filled(field(3, '')),
    ].map((part) => Buffer.from(block(part)));
    let statuses: Record<string, number> = {};
    const seen = await bystander.during(async () => {
      const url = `${platform.url}/api/v1/write`;
      statuses = await flood({ url, headers, bodies, count: 60, atOnce: 8, giveUpMs: 120_000 });
    });
    console.log(`      ${JSON.stringify(statuses)} ${JSON.stringify(seen)}`);
    assert.deepEqual(Object.keys(statuses), ['413']);
  });
});
