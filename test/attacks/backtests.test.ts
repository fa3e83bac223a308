import assert from 'node:assert/strict';
import { buildSensor } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

const DAY = 86_400;
const LONG_AGO = 1;

describe('an attack by backtests of inactivities', function () {
  this.timeout(200_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);
  const others = [useUser(platform), useUser(platform), useUser(platform)];

  it('that would fire every minute of 50 years after a day delays nobody', async () => {
    const sensor_ids = [await buildSensor(attacker)];
    await bystander.during(async () => {
      const trigger = { inactivity: DAY, repeat: 60 };
      const { status, body } = await attacker.api.post('/triggers/backtest', {
        trigger,
        sensor_ids,
        start_date: LONG_AGO,
      });
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.backtest.truncated, true);
    });
  });

  it('that would fire every minute of 50 years, of four users at once, delays nobody', async () => {
    const users = [attacker, ...others];
    const sensors = await Promise.all(users.map((user) => buildSensor(user)));
    await bystander.during(async () => {
      const run = async (index: number) => {
        const trigger = { inactivity: 60 };
        const body = { trigger, sensor_ids: [sensors[index]], start_date: LONG_AGO };
        for (let round = 0; round < 3; round += 1) await users[index]?.api.post('/triggers/backtest', body);
      };
      await Promise.all(users.map((_, index) => run(index)));
    });
  });
});
