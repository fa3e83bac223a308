import assert from 'node:assert/strict';
import { createLogger } from '../../../src/platform/logger';
import { Shutdown } from '../../../src/platform/shutdown';
import { until } from '../../support/until';

describe('an end that takes long', () => {
  let lines: Record<string, unknown>[];
  let shutdown: Shutdown;

  beforeEach(() => {
    lines = [];
    const logger = createLogger('info', 'worker', { write: (line: string) => lines.push(JSON.parse(line)) });
    shutdown = new Shutdown(logger, 1);
  });
  afterEach(() => shutdown.end());

  it('is logged with what it waits for at that moment, until it is over', async () => {
    let jobs = 2;
    let release: (value: number) => void = () => undefined;
    const work = new Promise<number>((resolve) => {
      release = resolve;
    });
    shutdown.begin();
    const steps = [
      shutdown.waitFor(() => `queue evaluation: ${jobs} jobs`, work),
      shutdown.waitFor('Redis', Promise.resolve(1)),
      assert.rejects(shutdown.waitFor('MySQL', Promise.reject(new Error('gone'))), /gone/),
    ];
    const waits = (step: string) =>
      lines.some(({ waitingFor }) => JSON.stringify(waitingFor) === JSON.stringify([step]));
    await until('it is logged', () => waits('queue evaluation: 2 jobs'));
    jobs = 1;
    await until('it is logged again', () => waits('queue evaluation: 1 jobs'));
    const [first] = lines;
    assert.deepEqual([first?.level, first?.msg, typeof first?.ms], [40, 'closing takes long', 'number']);
    release(7);
    assert.equal(await steps[0], 7);
    await Promise.all(steps);
    shutdown.end();
    const before = lines.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(lines.length, before);
  });

  it('is logged as an error when it is cut off', () => {
    void shutdown.waitFor('connections to MySQL', new Promise(() => undefined));
    shutdown.cutOff();
    assert.equal(lines.length, 1);
    assert.deepEqual([lines[0]?.level, lines[0]?.waitingFor], [50, ['connections to MySQL']]);
    assert.match(String(lines[0]?.msg), /cut off/);
  });

  it('says nothing before it begins', async () => {
    await shutdown.waitFor('Redis', new Promise((resolve) => setTimeout(resolve, 20)));
    assert.deepEqual(lines, []);
  });
});
