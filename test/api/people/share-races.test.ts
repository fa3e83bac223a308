import assert from 'node:assert/strict';
import type { ApiResponse } from '../../support/api-client';
import { buildGroup, buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

const ROUNDS = 9;

describe('sharing while the other side is deleted', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  const friend = useUser(platform);
  let group: string;

  before(async () => {
    group = await buildGroup(owner);
  });

  const shareWith = (sensor: string, reader: string) =>
    owner.api.post(`/sensors/${sensor}/users`, { user: { id: reader } });
  const ways: Record<string, (sensor: string) => Promise<ApiResponse>> = {
    'with a user': (sensor) => shareWith(sensor, friend.id),
    'into a group': (sensor) => owner.api.post(`/groups/${group}/sensors`, { sensors: [{ id: sensor }] }),
  };

  /** The responses to requests of one moment, in various orders. */
  const race = async (share: () => Promise<ApiResponse>, remove: () => Promise<ApiResponse>, round: number) => {
    const before = Array.from({ length: round % 3 }, share);
    const removed = remove();
    const after = Array.from({ length: 2 }, share);
    assert.equal((await removed).status, 200);
    return (await Promise.all([...before, ...after])).map(({ status }) => status);
  };

  for (const [how, shareIt] of Object.entries(ways)) {
    it(`is done or not found, for a sensor that is shared ${how}`, async () => {
      const statuses: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const sensor = await buildSensor(owner);
        const share = () => shareIt(sensor);
        statuses.push(...(await race(share, () => owner.api.delete(`/sensors/${sensor}`), round)));
        assert.equal((await share()).status, 404);
      }
      assert.deepEqual(
        statuses.filter((status) => status !== 201 && status !== 404),
        [],
      );
    });
  }

  it('is done or not found, for a user who is deleted', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const sensor = await buildSensor(owner);
      const reader = await platform.user();
      const share = () => shareWith(sensor, reader.id);
      statuses.push(...(await race(share, () => reader.api.delete(`/users/${reader.id}`), round)));
    }
    assert.deepEqual(
      statuses.filter((status) => status !== 201 && status !== 404),
      [],
    );
  });
});
