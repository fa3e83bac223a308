import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Connection } from 'mysql2/promise';
import { LearntModels } from '../../../src/sensors/virtual-sensors/learnt-models';
import { ServiceRange } from '../../../src/sensors/virtual-sensors/service-range';
import type { StepOutcome } from '../../../src/sensors/virtual-sensors/training-jobs';
import { Service } from '../../../src/storage/models/service.model';
import { handleTraining } from '../../../workers/training.worker';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { connectOtherClient } from '../../support/other-client';
import { startTrainingElsewhere } from '../../support/other-process';
import { buildLearningService, type LearningService, learnRange, runMethod } from '../../support/recognition';
import { until } from '../../support/until';

const T0 = 1_795_229_500;
/** Three steps. */
const POINTS = 50_000;
const NO_JOBS = { waiting: 0, points: 0, read: 0, percent: 100, error: null };

describe('learning a range of more than 20,000 points', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let sensorId: string;
  let slowId: string;
  let service: LearningService;
  /** Only while it blocks. */
  let blocker: Connection | undefined;

  before(async () => {
    sensorId = await buildSensor(user);
    slowId = await buildSensor(user);
    await fill(sensorId, POINTS, 100, (at) => String(Math.sin(at) * (at % 70)));
    await fill(slowId, 400, 12_345, (at) => String(at % 5));
  });
  beforeEach(async () => {
    service = await buildLearningService(user, [sensorId]);
  });
  afterEach(() => unblock('rollback'));

  async function fill(id: string, count: number, stepMs: number, value: (at: number) => string) {
    const rows = Array.from({ length: count }, (_, at) => [id, T0 * 1000 + at * stepMs, value(at), 1]);
    await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
  }
  const range = { start_date: T0, end_date: T0 + 4_999.9, class_label: 'working' };
  const learn = (changes: object = {}) => learnRange(user, service, { ...range, ...changes });
  const path = () => `/sensors/${sensorId}/services/${service.id}`;
  const progress = async () => JSON.parse((await runMethod(user, service, 'GetLearningProgress')).result);
  const labels = async () => JSON.parse((await runMethod(user, service, 'GetClassLabels')).result);
  const trainingJobs = () =>
    platform.query('SELECT * FROM training_jobs WHERE service_id = ? ORDER BY id', [service.id]);
  const step = () => platform.container.services.trainingJobs.step(Number(service.id));
  const run = () => handleTraining({ serviceId: Number(service.id) }, platform.container);
  const examples = async (id = service.id) =>
    platform.query('SELECT start_ms, label, features FROM service_examples WHERE service_id = ? ORDER BY start_ms', [
      id,
    ]);
  /** The result of learning the same range at once, with a service of the same sensors. */
  const learntAtOnce = async () => {
    const { id } = await buildLearningService(user, service.sensorIds);
    const row = await Service.findByPk(id, { rejectOnEmpty: true });
    const labelled = { label: 'working', startMs: T0 * 1000, endMs: T0 * 1000 + 4_999_900 };
    const { windows } = (await (await ServiceRange.of(platform.container.database.pool, row, labelled))?.learn()) ?? {};
    assert.ok(windows);
    const { database, shares } = platform.container;
    await new LearntModels(database, shares).add(row.id, { ...labelled, windows, windowMs: 10_000 });
    return [await examples(id), await modelOf(id)];
  };
  const modelOf = async (id: string) =>
    (await platform.query('SELECT model FROM services WHERE id = ?', [id]))[0]?.model;
  /** Until the blocker is released, a training job can run all of its steps but the last. */
  const blockLastStep = async () => {
    blocker = await connectOtherClient(platform);
    await blocker.beginTransaction();
    await blocker.query('SELECT id FROM services WHERE id = ? FOR UPDATE', [service.id]);
  };
  const unblock = async (end: 'commit' | 'rollback') => {
    const held = blocker;
    blocker = undefined;
    await held?.[end]();
    await held?.end();
  };
  const untilLastStep = () => until('the last step is left', async () => (await progress()).read === 40_000);

  it('responds at once, shows its progress, and has the same result as learning the range at once', async () => {
    service = await buildLearningService(user, [sensorId, slowId]);
    const points = POINTS + 400;
    assert.deepEqual(await learn(), { result: 'ok', points });
    assert.deepEqual([await labels(), await examples()], [[], []]);
    assert.deepEqual(await progress(), { waiting: 1, points, read: 0, percent: 0, error: null });
    assert.equal(await step(), 'read-on');
    const { read, percent } = await progress();
    assert.ok(read >= 20_000 && read < 30_000 && percent === Math.floor((100 * read) / points), `${read} ${percent}`);
    assert.deepEqual([await step(), await labels(), await step()], ['read-on', [], 'learnt']);
    assert.deepEqual([await progress(), await labels()], [NO_JOBS, ['working']]);
    assert.deepEqual([await examples(), await modelOf(service.id)], await learntAtOnce());
    const [row] = await trainingJobs();
    assert.deepEqual([row?.status, row?.points_read, row?.state], ['done', points, null]);
    assert.equal(await step(), 'nothing-waits');
  });

  it('learns up to 20,000 points before it responds', async () => {
    assert.deepEqual(await learn({ end_date: T0 + 1_999.9 }), { result: 'ok', points: 20_000 });
    assert.deepEqual([await labels(), await trainingJobs()], [['working'], []]);
    assert.deepEqual(await learn({ end_date: T0 + 2_000 }), { result: 'ok', points: 20_001 });
    assert.equal((await trainingJobs()).length, 1);
  });

  it('continues where it was when its worker is killed', async () => {
    await learn();
    await blockLastStep();
    const other = startTrainingElsewhere(platform, service.id);
    const ended = once(other, 'exit');
    await untilLastStep();
    other.kill('SIGKILL');
    await ended;
    await unblock('rollback');
    assert.deepEqual([await progress(), await examples()], [await untouched(), []]);
    assert.equal(await step(), 'learnt');
    assert.deepEqual([await examples(), await modelOf(service.id)], await learntAtOnce());
    assert.equal((await trainingJobs())[0]?.points_read, POINTS);
  });
  const untouched = async () => ({ waiting: 1, points: POINTS, read: 40_000, percent: 80, error: null });

  it('is learnt once by two workers at the same time', async () => {
    await learn();
    const outcomes: StepOutcome[] = [];
    const work = async () => {
      for (let outcome = await step(); outcome !== 'nothing-waits'; outcome = await step()) outcomes.push(outcome);
    };
    await Promise.all([work(), work()]);
    const made = outcomes.filter((outcome) => outcome !== 'overtaken').sort();
    assert.deepEqual(made, ['learnt', 'read-on', 'read-on']);
    assert.equal((await trainingJobs())[0]?.points_read, POINTS);
    assert.deepEqual([await examples(), await modelOf(service.id)], await learntAtOnce());
  });

  it('is enqueued, enqueued again by the reconciler, and processed in as many jobs as it takes', async () => {
    const { container } = platform;
    const enqueued = async () => (await container.queues.training.getJobs()).map(({ data }) => data.serviceId);
    for (const class_label of ['a', 'b', 'c', 'd']) await learn({ class_label });
    assert.ok((await enqueued()).includes(Number(service.id)));
    assert.equal(await run(), 'more-waits');
    assert.deepEqual([(await progress()).waiting, await labels()], [3, ['a']]);
    await container.queues.training.obliterate({ force: true });
    for (const class_label of ['e', 'f', 'g', 'h']) await learn({ class_label });
    await container.queues.training.obliterate({ force: true });
    await Promise.all([container.reconciler.enqueueWaiting(), container.reconciler.enqueueWaiting()]);
    assert.equal((await enqueued()).filter((id) => id === Number(service.id)).length, 1);
    await platform.startWorkers(['training']);
    await until('no training job waits', async () => (await progress()).waiting === 0);
    await platform.stopWorkers();
    assert.deepEqual(await labels(), ['h']);
  });

  it('learns overlapping ranges in the order of their requests, including short ones', async () => {
    await learn();
    assert.deepEqual(await learn({ end_date: T0 + 9.9, class_label: 'eating' }), { result: 'ok', points: 100 });
    assert.equal((await progress()).waiting, 2);
    const empty = { ...range, start_date: T0 + 0.01, end_date: T0 + 0.02 };
    assert.equal((await user.api.post(`${path()}/manualLearn`, empty)).status, 400);
    await platform.settle();
    assert.deepEqual(await labels(), ['eating', 'working']);
    assert.equal((await examples())[0]?.label, 'eating');
  });

  it('ends without an error when its service is deleted meanwhile', async () => {
    await learn();
    await blockLastStep();
    const running = run();
    await untilLastStep();
    await blocker?.query('DELETE FROM services WHERE id = ?', [service.id]);
    await unblock('commit');
    assert.equal(await running, 'overtaken');
    assert.deepEqual([await run(), await trainingJobs()], ['nothing-waits', []]);
  });

  it('ends without an error when its label is forgotten meanwhile, even one that was not learnt yet', async () => {
    await learn({ end_date: T0 + 9, class_label: 'eating' });
    await learn();
    assert.equal(await step(), 'read-on');
    const [outcome] = await Promise.all([step(), runMethod(user, service, 'ForgetClassLabel', 'working')]);
    assert.ok(['read-on', 'overtaken'].includes(outcome), outcome);
    assert.deepEqual([await run(), await labels()], ['nothing-waits', ['eating']]);
    assert.deepEqual([await progress(), await trainingJobs()], [NO_JOBS, []]);
  });

  it('is dropped when its sensor is disconnected', async () => {
    await learn();
    assert.equal(await step(), 'read-on');
    assert.equal((await user.api.delete(path())).status, 200);
    assert.deepEqual([await run(), await trainingJobs()], ['nothing-waits', []]);
  });

  it('fails with an error for the user when one of its sensors is disconnected', async () => {
    service = await buildLearningService(user, [sensorId, slowId]);
    await learn();
    assert.equal(await step(), 'read-on');
    assert.equal((await user.api.delete(`/sensors/${slowId}/services/${service.id}`)).status, 200);
    assert.equal(await step(), 'failed');
    assert.deepEqual(await progress(), {
      ...NO_JOBS,
      error: 'the sensors of the service were changed meanwhile',
    });
    assert.deepEqual(await examples(), []);
    assert.equal((await trainingJobs())[0]?.state, null);
  });
});
