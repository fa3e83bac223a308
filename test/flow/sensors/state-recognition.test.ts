import assert from 'node:assert/strict';
import { handleEvaluation } from '../../../workers/evaluation.worker';
import { buildSensor, upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { accelerations, MOVEMENTS } from '../../support/movement';
import { runPassElsewhere } from '../../support/other-process';
import { buildLearningService, buildPhone, labelsOf, learnRange, runMethod } from '../../support/recognition';
import { type Day, weatherOf } from '../../support/weather';

const T0 = 1_795_229_500;
const DAY_S = 86_400;
const WINDOW_S = 14 * DAY_S;
const SEASONS = ['winter', 'spring', 'summer', 'autumn'];

describe('recognising states', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const moving = (name: string, fromS: number, seconds: number, person: number) => {
    const movement = MOVEMENTS[name];
    assert.ok(movement);
    return accelerations(movement, fromS * 1000, seconds, person);
  };

  /** A pose service that has learnt 30 seconds of each of these movements of one person. */
  const poseService = async (...names: string[]) => {
    const sensorId = await buildPhone(user);
    const service = await buildLearningService(user, [sensorId], 'pose_prediction_service');
    for (const [at, name] of names.entries()) {
      await upload(user, sensorId, moving(name, T0 + at * 100, 30, 1));
      const range = { start_date: T0 + at * 100, end_date: T0 + at * 100 + 30, class_label: name };
      assert.deepEqual(await learnRange(user, service, range), { result: 'ok', points: 600 });
    }
    await platform.settle();
    return { service, sensorId };
  };

  it('recognises the seasons in unseen weather from two learnt years', async () => {
    const days = weatherOf('Seattle');
    const structure = JSON.stringify({ rain: 'float', warmest: 'float', coldest: 'float', wind: 'float' });
    const sensorId = await buildSensor(user, { data_type: 'json', data_structure: structure });
    const service = await buildLearningService(user, [sensorId]);
    await runMethod(user, service, 'SetWindow', String(WINDOW_S));
    const points = (some: readonly Day[]) => some.map(({ atMs, values }) => ({ date: atMs / 1000, value: values }));
    await upload(user, sensorId, points(days.filter(({ year }) => year < 2014)));
    await platform.settle();
    for (const { season, from, to } of seasonsOf(days.filter(({ year }) => year < 2014))) {
      await learnRange(user, service, { start_date: from, end_date: to, class_label: season });
    }
    await upload(user, sensorId, points(days.filter(({ year }) => year >= 2014)));
    await platform.settle();
    const seasonAt = new Map(days.map(({ atMs, month }) => [atMs / 1000, SEASONS[Math.floor((month % 12) / 3)]]));
    const judged = (await labelsOf(user, service.id)).filter(
      ({ date }) => seasonAt.get(date - WINDOW_S) === seasonAt.get(date - DAY_S),
    );
    const right = judged.filter(({ date, value }) => seasonAt.get(date - DAY_S) === value);
    console.log(`      ${((100 * right.length) / judged.length).toFixed(1)} % of ${judged.length} windows`);
    assert.ok(judged.length > 30, String(judged.length));
    assert.ok(right.length / judged.length >= 0.6, `${right.length} of ${judged.length}`);
    const { result } = await runMethod(user, service, 'GetConfidence');
    assert.ok(Number(result) > 0.25 && Number(result) <= 1, result);
  });

  it('recognises the poses of another person and dates them at the end of each window', async () => {
    const { service, sensorId } = await poseService('lying', 'sitting', 'standing', 'walking');
    for (const [at, name] of Object.keys(MOVEMENTS).entries()) {
      await upload(user, sensorId, moving(name, T0 + 1_000 + at * 10, 10, 42));
    }
    await upload(user, sensorId, moving('walking', T0 + 1_040, 1, 42));
    await platform.settle();
    assert.deepEqual(
      (await labelsOf(user, service.id)).filter(({ date }) => date > T0 + 1_000),
      [
        { date: T0 + 1_005, value: 'lying' },
        { date: T0 + 1_010, value: 'lying' },
        { date: T0 + 1_015, value: 'sitting' },
        { date: T0 + 1_020, value: 'sitting' },
        { date: T0 + 1_025, value: 'standing' },
        { date: T0 + 1_030, value: 'standing' },
        { date: T0 + 1_035, value: 'walking' },
        { date: T0 + 1_040, value: 'walking' },
      ],
    );
  });

  it('writes nothing before two labels are learnt, or in manual input mode', async () => {
    const { service, sensorId } = await poseService('walking');
    await upload(user, sensorId, moving('walking', T0 + 500, 60, 2));
    await platform.settle();
    assert.deepEqual(await labelsOf(user, service.id), []);
    await runMethod(user, service, 'SetManualInputMode', '1');
    assert.equal((await runMethod(user, service, 'GetManualInputMode')).result, 'true');
    await upload(user, sensorId, moving('lying', T0 + 600, 30, 2));
    await learnRange(user, service, { start_date: T0 + 600, end_date: T0 + 630, class_label: 'lying' });
    await upload(user, sensorId, moving('lying', T0 + 700, 60, 2));
    await platform.settle();
    assert.deepEqual(await labelsOf(user, service.id), []);
    await runMethod(user, service, 'SetManualInputMode', '0');
    await upload(user, sensorId, moving('lying', T0 + 800, 11, 2));
    await platform.settle();
    assert.deepEqual(await labelsOf(user, service.id), [
      { date: T0 + 805, value: 'lying' },
      { date: T0 + 810, value: 'lying' },
    ]);
  });

  it('writes the same labels however often, and in however many parts, the same data arrives', async () => {
    const { service, sensorId } = await poseService('lying', 'walking');
    const points = moving('walking', T0 + 1_000, 31, 3);
    for (let from = 0; from < points.length; from += 70) {
      await upload(user, sensorId, points.slice(from, from + 70));
      await platform.settle();
    }
    const labels = await labelsOf(user, service.id);
    assert.deepEqual(
      labels.slice(-6).map(({ value }) => value),
      Array.from({ length: 6 }, () => 'walking'),
    );
    await upload(user, sensorId, points);
    await platform.settle();
    assert.deepEqual(await labelsOf(user, service.id), labels);
  });

  it('recognises states by several sensors with different rates', async () => {
    const [noise, light] = [await buildSensor(user), await buildSensor(user)];
    const service = await buildLearningService(user, [noise, light]);
    // Only both together distinguish the states: noisy and dark, noisy and bright, quiet and dark.
    const states = { party: [80, 1], office: [80, 90], night: [20, 1] } as const;
    const send = async (name: keyof typeof states, fromS: number) => {
      const [loud, bright] = states[name];
      const noises = Array.from({ length: 120 }, (_, at) => ({ value: loud + (at % 7), date: fromS + at / 2 }));
      const lights = Array.from({ length: 3 }, (_, at) => ({ value: bright + at, date: fromS + at * 20 }));
      await upload(user, light, lights);
      await upload(user, noise, noises);
    };
    for (const [at, name] of (['party', 'office', 'night'] as const).entries()) {
      await send(name, T0 + at * 100);
      const range = { start_date: T0 + at * 100, end_date: T0 + at * 100 + 59.5, class_label: name };
      assert.equal((await learnRange(user, service, range)).points, 123);
    }
    await platform.settle();
    for (const [at, name] of (['office', 'night', 'party'] as const).entries()) {
      const before = (await labelsOf(user, service.id)).length;
      await send(name, T0 + 1_000 + at * 100);
      await platform.settle();
      const labels = (await labelsOf(user, service.id))
        .slice(before)
        .filter(({ date }) => date > T0 + 1_000 + at * 100);
      assert.ok(labels.length >= 4, `${labels.length} windows of ${name}`);
      assert.deepEqual(new Set(labels.map(({ value }) => value)), new Set([name]));
    }
  });

  it('recognises in another process what was learnt in this one, starting with the next point', async () => {
    const { service, sensorId } = await poseService('lying', 'walking');
    const recognise = async (fromS: number) => {
      await upload(user, sensorId, moving('walking', fromS, 6, 4));
      await runPassElsewhere(platform, sensorId);
      return (await labelsOf(user, service.id)).find(({ date }) => date === fromS + 5)?.value;
    };
    assert.equal(await recognise(T0 + 1_000), 'walking');
    await learnRange(user, service, { start_date: T0 + 100, end_date: T0 + 130, class_label: 'running' });
    assert.equal(await recognise(T0 + 2_000), 'running');
  });

  it('learns while it recognises and loses no window', async () => {
    const { service, sensorId } = await poseService('lying', 'walking');
    const partition = Number(sensorId) % platform.container.config.partitions;
    const range = { start_date: T0 + 100, end_date: T0 + 130, class_label: 'walking' };
    for (let round = 0; round < 6; round += 1) {
      await upload(user, sensorId, moving('walking', T0 + 1_000 + round * 5, 5, 5));
      const pass = handleEvaluation({ partition }, platform.container);
      await Promise.all([pass, learnRange(user, service, range), learnRange(user, service, range)]);
    }
    await upload(user, sensorId, moving('walking', T0 + 1_030, 1, 5));
    await platform.settle();
    assert.deepEqual(
      (await labelsOf(user, service.id)).filter(({ date }) => date > T0 + 1_000),
      [1_005, 1_010, 1_015, 1_020, 1_025, 1_030].map((at) => ({ date: T0 + at, value: 'walking' })),
    );
    assert.equal((await runMethod(user, service, 'GetClassLabels')).result, '["lying","walking"]');
  });

  it('forgets a label', async () => {
    const { service, sensorId } = await poseService('lying', 'standing', 'walking');
    assert.equal((await runMethod(user, service, 'GetClassLabels')).result, '["lying","standing","walking"]');
    assert.deepEqual(await runMethod(user, service, 'ForgetClassLabel', 'standing'), { result: 'ok' });
    assert.equal((await runMethod(user, service, 'GetClassLabels')).result, '["lying","walking"]');
    await upload(user, sensorId, moving('standing', T0 + 1_000, 6, 4));
    await platform.settle();
    assert.notEqual((await labelsOf(user, service.id)).at(-1)?.value, 'standing');
    assert.match(String((await runMethod(user, service, 'ForgetClassLabel', 'standing')).error), /no label/);
    assert.match(String((await runMethod(user, service, 'SetWindow', '1')).error), /forget/);
    for (const label of ['lying', 'walking']) await runMethod(user, service, 'ForgetClassLabel', label);
    assert.deepEqual(await runMethod(user, service, 'SetWindow', '1'), { result: 'ok' });
  });
});

/** The seasons of the days, with the unix seconds of their first and last day. */
function seasonsOf(days: readonly Day[]) {
  const seasons: { season: string; from: number; to: number }[] = [];
  for (const { atMs, month } of days) {
    const season = SEASONS[Math.floor((month % 12) / 3)] ?? '';
    const last = seasons.at(-1);
    if (last?.season === season) last.to = atMs / 1000;
    else seasons.push({ season, from: atMs / 1000, to: atMs / 1000 });
  }
  return seasons;
}
