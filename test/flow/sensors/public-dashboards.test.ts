import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { buildDashboard } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { ALL_WORK } from '../../support/platform';
import { until } from '../../support/until';

const PLACE = { x: 0, y: 0, w: 6, h: 4 };

describe('a public link, while points arrive', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  before(() => platform.startWorkers(ALL_WORK));

  const read = async (token: string, tile: number) => platform.anonymous.get(`/public/${token}/data?tile=${tile}`);

  it('shows each point with the next request, and nothing from the moment on at which it is revoked', async () => {
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'freezer' },
      trigger: { name: 'too warm', expression: 'sensor_data_value > 40' },
      notifications: [],
    });
    const id = await buildDashboard(user, {
      tiles: [
        { kind: 'value', sensors: [sensorId], ...PLACE },
        { kind: 'alerts', ...PLACE },
      ],
    });
    const { public: token } = (await user.api.post(`/dashboards/${id}/public`)).body.dashboard;
    for (let value = 1; value <= 20; value += 1) {
      await user.api.post(`/sensors/${sensorId}/data`, { value });
      const { tile } = (await read(token, 0)).body;
      assert.equal(tile.sensors[0].last.value, String(value));
      assert.equal(tile.sensors[0].points.at(-1).max, String(value));
    }
    await user.api.post(`/sensors/${sensorId}/data`, { value: 41 });
    await until('the alert is shown', async () => (await read(token, 1)).body.tile.alerts.length === 1);

    let isRevoked = false;
    let served = 0;
    const late: number[] = [];
    const readers = Array.from({ length: 6 }, async (_, at) => {
      for (let request = 0; request < 60; request += 1) {
        const isLate = isRevoked;
        const { status } = await read(token, at % 2);
        if (isLate) late.push(status);
        else if (status === 200) served += 1;
        if (late.length > 30) return;
      }
    });
    await until('readers are served', async () => served > 6);
    await user.api.delete(`/dashboards/${id}/public`);
    isRevoked = true;
    await Promise.all(readers);
    assert.ok(late.length > 6, 'requests came after the end');
    assert.deepEqual([...new Set(late)], [404]);
  });
});
