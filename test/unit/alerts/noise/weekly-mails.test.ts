import assert from 'node:assert/strict';
import type { AskedNoise, Noise } from '../../../../src/alerts/noise/noise.service';
import { NoiseCount } from '../../../../src/alerts/noise/noise-count';
import { WeeklyMails } from '../../../../src/alerts/noise/weekly-mails';
import { ByteBudget, openWorkBudget } from '../../../../src/fairness/byte-budget';
import { FairShareScheduler } from '../../../../src/fairness/fair-share-scheduler';
import { TakesTooLong } from '../../../../src/platform/errors';
import { Words } from '../../../../src/platform/words/words';
import { chargeAnswer, chargedUser } from '../../../../src/storage/cancellation';

const END_MS = Date.UTC(2026, 10, 30, 8);
const reader = { userId: 7, timezone: 'UTC', words: Words.in('en') };
const noiseOf = (episodes: number): Noise => {
  const summary = { ...new NoiseCount().numbers, episodes, firings: episodes };
  return { rows: { items: [{ id: 5, name: 'warm', ...summary }] }, summary, days: [] };
};
const mailsOf = (report: (asked: AskedNoise) => Promise<Noise>, workBudget: ByteBudget = openWorkBudget()) => {
  const suggested: unknown[] = [];
  const suggestions = {
    suggestForNoisiest: async (rows: unknown) => {
      suggested.push(rows);
      return { suggestions: [], isComplete: true };
    },
  };
  const work = { workBudget, shares: new FairShareScheduler(() => 0) };
  const noise = { report: (_userId: number, asked: AskedNoise) => report(asked) };
  return { mails: new WeeklyMails(noise, suggestions, work, 'https://sensors.example.org'), suggested };
};

describe('a weekly mail', () => {
  it('counts each week once, and suggests for the rules of that count', async () => {
    const asked: number[] = [];
    const { mails, suggested } = mailsOf(async ({ startMs }) => {
      asked.push(startMs);
      return noiseOf(3);
    });
    assert.equal((await mails.write(reader, END_MS)).subject, 'Your week: 3 alerts');
    assert.deepEqual(asked, [END_MS - 7 * 86_400_000, END_MS - 14 * 86_400_000]);
    assert.deepEqual(suggested, [noiseOf(3).rows.items]);
  });

  it('says that a week has too many alerts to count', async () => {
    const { mails } = mailsOf(() => Promise.reject(new TakesTooLong()));
    const { subject, remark, links } = await mails.write(reader, END_MS);
    assert.equal(subject, 'Your week could not be counted');
    assert.match(remark ?? '', /^From 23 November 2026 to 30 November 2026 there were too many alerts/);
    assert.equal(links.length, 1);
    const broken = mailsOf(() => Promise.reject(new Error('a bug')));
    await assert.rejects(broken.mails.write(reader, END_MS), /a bug/);
  });

  it('is charged to its reader, who may hold only so much', async () => {
    const budget = openWorkBudget();
    let charged: number | undefined;
    const { mails } = mailsOf(async () => {
      charged = chargedUser();
      chargeAnswer(1_000);
      assert.ok(!budget.hasRoom(reader.userId, 2 ** 40));
      return noiseOf(0);
    }, budget);
    await mails.write(reader, END_MS);
    assert.equal(charged, reader.userId);
    const heavy = mailsOf(async () => {
      chargeAnswer(2 ** 40);
      return noiseOf(0);
    });
    assert.equal((await heavy.mails.write(reader, END_MS)).subject, 'Your week could not be counted');
  });
});
