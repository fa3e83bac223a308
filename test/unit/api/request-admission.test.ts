import assert from 'node:assert/strict';
import express, { type Request, type Response } from 'express';
import { RequestAdmission } from '../../../src/api/request-admission';
import { openAnswerBudget, openWorkBudget } from '../../../src/fairness/byte-budget';
import { FairShareScheduler } from '../../../src/fairness/fair-share-scheduler';
import type { Caller } from '../../../src/platform/caller';
import { freePort } from '../../support/ports';
import { until } from '../../support/until';

const CALLER: Caller = {
  ...{ userId: 1, username: 'ada', address: '192.0.2.1', network: '192.0.2.1', secure: false },
  credential: { kind: 'session', id: 1 },
};

describe('the admission of the requests of a user', () => {
  let url: string;
  let stop: () => void;
  let begun: (() => void)[];
  let closed: number;

  beforeEach(async () => {
    begun = [];
    closed = 0;
    const admission = new RequestAdmission(openAnswerBudget(), {
      workBudget: openWorkBudget(),
      shares: new FairShareScheduler(),
    });
    const app = express().set('env', 'test'); // it prints no errors then
    app.use(async (request: Request, response: Response) => {
      response.once('close', () => {
        closed += 1;
      });
      const work = () => new Promise<void>((resolve) => begun.push(resolve));
      await admission.run(CALLER, request.method === 'GET' ? 'read' : 'change', response, work);
      response.end();
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
});
