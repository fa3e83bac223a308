import assert from 'node:assert/strict';
import { upload } from '../../support/factories';
import { lengthOf, pointsFrom, RECORDINGS, type Recording } from '../../support/gait';
import { usePlatform, useUser } from '../../support/hooks';
import { buildLearningService, buildPhone, labelsOf, learnRange } from '../../support/recognition';

const T0 = 1_795_000_000;
const WINDOW_S = 5;
/** Each recording begins at a multiple of this, far from the previous one. */
const APART_S = 1_000;

describe('recognising walking', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const beginOf = (recording: Recording) => T0 + RECORDINGS.indexOf(recording) * APART_S;

  it('distinguishes walking from other movements in unseen recordings', async () => {
    const sensorId = await buildPhone(user);
    const service = await buildLearningService(user, [sensorId], 'pose_prediction_service');
    const learnt = RECORDINGS.filter(({ name }) => /[12]$/.test(name));
    const unseen = RECORDINGS.filter((recording) => !learnt.includes(recording));
    for (const recording of learnt) {
      const from = beginOf(recording);
      await upload(user, sensorId, pointsFrom(recording, from));
      await platform.settle();
      const range = { start_date: from, end_date: from + lengthOf(recording), class_label: recording.label };
      await learnRange(user, service, range);
    }
    await platform.settle();
    for (const recording of unseen) {
      await upload(user, sensorId, pointsFrom(recording, beginOf(recording)));
      await platform.settle();
    }
    const labels = await labelsOf(user, service.id);
    let [right, judged] = [0, 0];
    for (const recording of unseen) {
      const [from, to] = [beginOf(recording), beginOf(recording) + lengthOf(recording)];
      const whole = labels.filter(({ date }) => date - WINDOW_S >= from && date <= to);
      assert.ok(whole.length >= Math.floor(lengthOf(recording) / WINDOW_S) - 1, recording.name);
      judged += whole.length;
      right += whole.filter(({ value }) => value === recording.label).length;
    }
    console.log(`      ${((100 * right) / judged).toFixed(1)} % of ${judged} windows`);
    assert.ok(right / judged >= 0.9, `${right} of ${judged}`);
  });
});
