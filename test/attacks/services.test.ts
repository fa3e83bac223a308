import assert from 'node:assert/strict';
import { buildSensor, buildService, buildTrigger, connectTrigger } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

describe('an attack by services and expressions', function () {
  this.timeout(300_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  /** An upload that the platform may refuse. */
  const upload = (id: string, data: unknown) => attacker.api.post(`/sensors/${id}/data`, { data });

  it('whose expression uses a large object in its memory 200 times harms no other user', async () => {
    const object = await buildSensor(attacker, { data_type: 'json' });
    const number = await buildSensor(attacker, { data_type: 'float' });
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]));
    const id = await buildService(attacker, 'math_service', object, number);
    const expression = `${Array.from({ length: 200 }, (_, index) => `_${object}_f${index % 9}`).join('+')}+_${number}`;
    const set = await attacker.api.post(`/sensors/${object}/services/${id}/SetExpression`, {
      parameters: [expression],
    });
    assert.equal(set.status, 200, JSON.stringify(set.body));
    await upload(object, { value: fields });
    await bystander.during(async () => {
      for (let round = 0; round < 10; round += 1) {
        await upload(
          number,
          Array.from({ length: 10 }, (_, index) => ({ value: round * 10 + index })),
        );
      }
    });
  });

  it('of many services with large values and many points harms no other user', async () => {
    const id = await buildSensor(attacker, { data_type: 'json' });
    for (let index = 0; index < 100; index += 1) await buildService(attacker, 'statistics_service', id);
    const value = Array.from({ length: 60 }, (_, index) => index);
    const numbers = { ...value };
    await bystander.during(async () => {
      for (let round = 0; round < 5; round += 1) {
        const start = 1_700_000_000 + round * 1_000;
        await upload(
          id,
          Array.from({ length: 1_000 }, (_, index) => ({ value: numbers, date: start + index })),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    });
  });

  it('of 100 triggers that search a large list again and again harms no other user', async () => {
    const id = await buildSensor(attacker, { data_type: 'json' });
    for (let index = 0; index < 100; index += 1) {
      const search = Array.from({ length: 55 }, (_, part) => `(${part + index} in sensor_data_value)`).join(' or ');
      await connectTrigger(attacker, id, await buildTrigger(attacker, { expression: search }));
    }
    const list = Array.from({ length: 13_000 }, (_, index) => 1_000 + (index % 9_000));
    await bystander.during(async () => {
      for (let round = 0; round < 10; round += 1) {
        await upload(
          id,
          Array.from({ length: 10 }, () => ({ value: [...list, round] })).map((point, index) => ({
            ...point,
            date: 1_700_000_000 + round * 100 + index,
          })),
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    });
  });
});
