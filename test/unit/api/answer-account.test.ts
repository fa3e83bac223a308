import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AnswerAccount } from '../../../src/api/answer-account';
import type { ByteBudget } from '../../../src/fairness/byte-budget';
import { openAnswerBudget } from '../../../src/fairness/byte-budget';

const USER = 1;
const MB = 1024 * 1024;
/** What one user may hold. */
const ALL = 96 * MB;

describe('what an answer holds', () => {
  let budget: ByteBudget;
  let response: ServerResponse;

  beforeEach(() => {
    budget = openAnswerBudget();
    response = new ServerResponse(new IncomingMessage(new Socket()));
  });

  const close = () => {
    response.destroy();
    response.emit('close');
  };

  for (const mayRefuse of [true, false]) {
    describe(mayRefuse ? 'of a read' : 'of a change', () => {
      it('is released when its client has taken it, or has gone', () => {
        const account = new AnswerAccount(budget, response, USER, mayRefuse);
        account.hold(MB);
        account.hold(3 * MB);
        assert.equal(budget.hasRoom(USER, ALL - 3 * MB), true);
        assert.equal(budget.hasRoom(USER, ALL - 3 * MB + 1), false);
        close();
        assert.equal(budget.hasRoom(USER, ALL), true);
      });

      it('is not charged once its client has gone', () => {
        const account = new AnswerAccount(budget, response, USER, mayRefuse);
        close();
        account.hold(3 * MB);
        assert.equal(budget.hasRoom(USER, ALL), true);
      });

      it('is not charged any further once its client has gone', () => {
        const account = new AnswerAccount(budget, response, USER, mayRefuse);
        account.hold(MB);
        close();
        account.hold(3 * MB);
        assert.equal(budget.hasRoom(USER, ALL), true);
      });
    });
  }
});
