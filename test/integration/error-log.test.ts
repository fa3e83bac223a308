import assert from 'node:assert/strict';
import express, { type NextFunction, type Request, type Response } from 'express';
import { QueryTypes } from 'sequelize';
import { answerError } from '../../src/api/middlewares/error-handler';
import { createLogger, logPrintedWarnings } from '../../src/platform/logger';
import { User } from '../../src/storage/models/user.model';
import { usePlatform } from '../support/hooks';

const SECRET = 'whsec_c2VjcmV0LXRoYXQtbm9ib2R5LW1heS1zZWU=';

describe('errors in the log', () => {
  const platform = usePlatform();

  it('contain the error and its stack, but no values of the statement', async () => {
    const { sequelize, pool } = platform.container.database;
    const { username } = await platform.user();
    const user = await User.findOne({ where: { username }, rejectOnEmpty: true });
    const failing: [() => Promise<unknown>, string][] = [
      [() => sequelize.query(`SELECT '${SECRET}' FROM nowhere`), 'ER_NO_SUCH_TABLE'],
      [() => sequelize.query('SELECT ? FROM nowhere', { replacements: [SECRET] }), 'ER_NO_SUCH_TABLE'],
      [() => sequelize.query('SELECT $1 FROM nowhere', { bind: [SECRET] }), 'ER_NO_SUCH_TABLE'],
      [() => pool.query('SELECT ? FROM nowhere', [SECRET]), 'ER_NO_SUCH_TABLE'],
      [() => pool.execute('SELECT ? FROM nowhere', [SECRET]), 'ER_NO_SUCH_TABLE'],
      [() => User.create({ ...user.get(), name: SECRET }), 'ER_DUP_ENTRY'],
    ];
    for (const [run, code] of failing) {
      const error: unknown = await run().then(
        () => assert.fail('it worked'),
        (reason: unknown) => reason,
      );
      const [line, response] = await handled(error);
      const { err, msg } = JSON.parse(line);
      assert.equal(msg, 'request failed');
      assert.ok(line.includes(code) && err.message !== '' && err.stack.includes('error-log.test'), line);
      assert.ok(!line.includes(SECRET) && !line.includes('SELECT'), line);
      assert.ok(!response.includes(SECRET));
      assert.ok(JSON.stringify(Object(error)).length > 2, 'the error itself is unchanged');
    }
  });

  it('contain what Sequelize prints of a transaction that it cannot end, which is no line by itself', async () => {
    const { sequelize } = platform.container.database;
    const lines: string[] = [];
    const { warn } = console;
    logPrintedWarnings(createLogger('info', 'test', { write: (line) => lines.push(line) }));
    try {
      const transaction = await sequelize.transaction();
      const [connection] = await sequelize.query<{ id: number }>('SELECT CONNECTION_ID() AS id', {
        transaction,
        type: QueryTypes.SELECT,
      });
      await platform.query('KILL ?', [connection?.id]);
      await assert.rejects(transaction.commit());
    } finally {
      console.warn = warn;
    }
    assert.equal(lines.length, 1);
    const { level, process, msg } = JSON.parse(lines[0] ?? '');
    assert.deepEqual([level, process], [40, 'test']);
    assert.match(msg, /^Committing transaction .* failed with error/);
  });

  /** The line in the log and the response when an operation fails with this error. */
  const handled = async (error: unknown): Promise<[string, string]> => {
    let line = '';
    const logger = createLogger('info', 'test', {
      write: (text) => {
        line += text;
      },
    });
    const app = express();
    app.get('/', () => {
      throw error;
    });
    const { database } = platform.container;
    app.use((reason: unknown, _request: Request, response: Response, _next: NextFunction) =>
      answerError(reason, response, { logger, database }),
    );
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    const response = await (await fetch(`http://127.0.0.1:${address.port}/`)).text();
    server.close();
    server.closeAllConnections();
    return [line, response];
  };
});
