import assert from 'node:assert/strict';
import express, { type Request, type Response } from 'express';
import { RequestAdmission } from '../../../src/api/request-admission';
import { openAnswerBudget, openWorkBudget } from '../../../src/fairness/byte-budget';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import type { Caller } from '../../../src/platform/caller';
import { freePort } from '../../support/ports';
import { StalledReaders } from '../../support/stalled-readers';
import { until } from '../../support/until';

const CALLER: Caller = {
  ...{ userId: 1, username: 'ada', address: '192.0.2.1', network: '192.0.2.1', secure: false },
  credential: { kind: 'session', id: 1 },
};

/** How long a client may read nothing of its answer, in ms. */
const STALLED_MS = 200;

describe('the admission of the requests of a user', () => {
  let url: string;
  let stop: () => void;
  let begun: (() => void)[];
  let closed: number;
  let answer: Buffer;

  beforeEach(async () => {
    begun = [];
    closed = 0;
    answer = Buffer.alloc(0);
    const work = { workBudget: openWorkBudget(), shares: new FairShareScheduler() };
    const admission = new RequestAdmission(openAnswerBudget(), work, STALLED_MS);
    const app = express().set('env', 'test'); // it prints no errors then
    app.use(async (request: Request, response: Response) => {
      response.once('close', () => {
        closed += 1;
      });
      const waiting = () => new Promise<void>((resolve) => begun.push(resolve));
      await admission.run(CALLER, request.method === 'GET' ? 'read' : 'change', response, waiting);
      response.end(answer);
    });
    const port = await freePort();
    const server = app.listen(port, '127.0.0.1');
    url = `http://127.0.0.1:${port}/sensors`;
    stop = () => {
      server.close();
      server.closeAllConnections();
    };
  });
  afterEach(() => stop());

  for (const [method, atOnce] of [
    ['GET', 3],
    ['PUT', 2],
  ] as const) {
    it(`count a ${method} whose client has gone for as long as its work goes on`, async () => {
      for (let round = 1; round <= 3; round += 1) {
        const gone = new AbortController();
        const given = Array.from({ length: atOnce }, () => fetch(url, { method, signal: gone.signal }).catch(() => {}));
        if (round === 1) await until('the first ones have begun', () => begun.length === atOnce);
        else await new Promise((resolve) => setTimeout(resolve, 100));
        gone.abort();
        await Promise.all(given);
        await until('their connections are closed', () => closed === round * atOnce);
      }
      assert.equal(begun.length, atOnce, 'those of the later rounds were given up while they waited');
      const last = fetch(url, { method });
      begun[0]?.();
      await until('the next one begins once one has ended', () => begun.length === atOnce + 1);
      begun[atOnce]?.();
      assert.equal((await last).status, 200);
      for (const end of begun) end();
    });
  }

  for (const method of ['GET', 'PUT']) {
    it(`answers a ${method} whose work takes longer than its client may read nothing`, async () => {
      const given = fetch(url, { method });
      await until('it has begun', () => begun.length === 1);
      await new Promise((resolve) => setTimeout(resolve, 4 * STALLED_MS));
      begun[0]?.();
      assert.equal((await given).status, 200);
    });
  }

  it('disconnects a client that reads nothing of its answer', async () => {
    answer = Buffer.alloc(32 * 1024 * 1024);
    const readers = new StalledReaders(url);
    const opened = readers.open('/sensors', 'none');
    await until('it has begun', () => begun.length === 1);
    begun[0]?.();
    assert.match(await opened, /^HTTP\/1.1 200/);
    await until('it is disconnected', () => closed === 1);
    readers.close();
  });
});
