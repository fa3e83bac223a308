import assert from 'node:assert/strict';
import { PacedWork } from '../../src/fairness/paced-work';
import {
  examplesOf,
  forgetExamples,
  learntLabels,
  replaceExamples,
} from '../../src/sensors/virtual-sensors/service-examples';
import { inTransaction } from '../../src/storage/transaction';
import { buildSensor } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

describe('the examples of a service', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let serviceId = 0;

  beforeEach(async () => {
    serviceId = Number(await buildSensor(user));
    await platform.query(
      "INSERT INTO services (id, name, settings, memory, created_ms) VALUES (?, 'state_recognition_service', '{}', 'null', 0)",
      [serviceId],
    );
  });

  const learn = (label: string, startMs: number, endMs: number, count = 1) => {
    const lengthMs = (endMs - startMs) / count;
    const windows = Array.from({ length: count }, (_, at) => ({
      startMs: startMs + at * lengthMs,
      endMs: startMs + (at + 1) * lengthMs,
      features: { mean: at },
    }));
    return inTransaction(platform.container.database.sequelize, (transaction) =>
      replaceExamples(serviceId, { startMs, endMs }, { label, windows }, transaction),
    );
  };
  const ranges = async () => {
    const rows = await platform.query(
      'SELECT label, start_ms AS s, end_ms AS e FROM service_examples WHERE service_id = ? ORDER BY start_ms, id',
      [serviceId],
    );
    return rows.map(({ label, s, e }) => `${label} ${s}-${e}`);
  };

  it('of a range replace those that were learnt from it before', async () => {
    await learn('sitting', 0, 40, 4);
    await learn('walking', 10, 30, 2);
    assert.deepEqual(await ranges(), ['sitting 0-10', 'walking 10-20', 'walking 20-30', 'sitting 30-40']);
  });

  it('replace a window with which they only overlap', async () => {
    await learn('sitting', 0, 40, 2);
    await learn('walking', 19, 21);
    assert.deepEqual(await ranges(), ['walking 19-21']);
  });

  it('of a single instant are replaced, too', async () => {
    await learn('sitting', 5, 5);
    await learn('walking', 5, 5);
    assert.deepEqual(await ranges(), ['walking 5-5']);
    await learn('lying', 0, 10);
    assert.deepEqual(await ranges(), ['lying 0-10']);
  });

  it('are forgotten by their exact label', async () => {
    await learn('walking', 0, 10);
    await learn('Walking', 10, 20);
    const { sequelize } = platform.container.database;
    assert.equal(await inTransaction(sequelize, (tx) => forgetExamples(serviceId, 'walking', tx)), true);
    assert.equal(await inTransaction(sequelize, (tx) => forgetExamples(serviceId, 'walking', tx)), false);
    assert.deepEqual(await learntLabels(serviceId), ['Walking']);
  });

  it('are read as they were stored', async () => {
    await learn('walking', 10, 30, 2);
    const work = new PacedWork(platform.container.shares, Number(user.id));
    assert.deepEqual(await examplesOf(serviceId, work), [
      { label: 'walking', features: { mean: 0 } },
      { label: 'walking', features: { mean: 1 } },
    ]);
  });

  it('of one label are limited to the five hundred latest', async () => {
    await learn('walking', 0, 400, 400);
    await learn('walking', 400, 800, 400);
    const kept = await ranges();
    assert.equal(kept.length, 500);
    assert.equal(kept[0], 'walking 300-301');
  });

  it('have at most fifty labels; a known one can still be learnt, and a new one after another was forgotten', async () => {
    for (let at = 0; at < 50; at += 1) await learn(`state ${at}`, at * 10, at * 10 + 10);
    await assert.rejects(learn('one more', 1_000, 1_010), { status: 409 });
    await learn('state 7', 1_000, 1_010);
    await learn('in the place of another', 0, 10);
    assert.equal((await learntLabels(serviceId)).length, 50);
  });

  it('are deleted with the service and its virtual sensor', async () => {
    await learn('walking', 0, 10);
    await user.api.delete(`/sensors/${serviceId}`);
    assert.deepEqual(await ranges(), []);
  });
});
