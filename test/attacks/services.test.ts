import assert from 'node:assert/strict';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';

describe('an attack by services and expressions', function () {
  this.timeout(120_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  const newSensor = async (name: string, dataType = 'json'): Promise<string> =>
    (await attacker.api.post('/sensors', { sensor: { name, data_type: dataType } })).body.sensor.id;
  const upload = (id: string, data: unknown) => attacker.api.post(`/sensors/${id}/data`, { data });
  const addService = async (sensorId: string, service: Record<string, unknown>): Promise<string> => {
    const { status, body } = await attacker.api.post(`/sensors/${sensorId}/services`, { service });
    assert.equal(status, 201, JSON.stringify(body));
    return body.service.id;
  };

  it('that name a large remembered object 200 times hurts nobody', async () => {
    const [object, number] = [await newSensor('o'), await newSensor('n', 'float')];
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]));
    const id = await addService(object, { name: 'math_service' });
    await addService(number, { id, name: 'math_service' });
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

  it('of many services over large values and many points hurts nobody', async () => {
    const id = await newSensor('wide');
    for (let index = 0; index < 100; index += 1) await addService(id, { name: 'statistics_service' });
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

  it('of 100 triggers that search a large list again and again hurts nobody', async () => {
    const id = await newSensor('list');
    for (let index = 0; index < 100; index += 1) {
      const search = Array.from({ length: 55 }, (_, part) => `(${part + index} in sensor_data_value)`).join(' or ');
      const { body } = await attacker.api.post('/triggers', {
        trigger: { name: `search ${index}`, expression: search },
      });
      await attacker.api.post(`/sensors/${id}/triggers`, { triggers: [{ trigger: { id: body.trigger.id } }] });
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
