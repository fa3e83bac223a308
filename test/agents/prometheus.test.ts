import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startApiBehind } from '../support/agents/api-behind';
import { type Front, startFront } from '../support/agents/front';
import { type SendingPrometheus, samplesOf, startSendingPrometheus } from '../support/agents/prometheus';
import { storedLines } from '../support/agents/stored-series';
import { createKey } from '../support/factories';
import { useCuttable, usePlatform, useUser } from '../support/hooks';
import { hasPrometheus } from '../support/prometheus-process';
import { until } from '../support/until';

describe('a Prometheus that writes to the platform', () => {
  const mysql = useCuttable('MYSQL_URL');
  const platform = usePlatform(() => ({ config: { MYSQL_URL: mysql.url } }));
  const user = useUser(platform);
  let api: ChildProcess;
  let front: Front;
  let prometheus: SendingPrometheus;

  before(async function () {
    if (!(await hasPrometheus())) {
      console.log('      skipped: prometheus is not installed (apt-get install prometheus)');
      this.skip();
    }
    front = await startFront('');
    api = await startApiBehind(front, platform);
    const { secret: token } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    const keep = { source_labels: ['__name__'], regex: 'go_.*|prometheus_tsdb_head_.*', action: 'keep' };
    prometheus = await startSendingPrometheus({ url: `${front.url}/api/v1/write`, token, relabel: [keep] });
    await acknowledged(3);
  });
  after(async () => {
    await prometheus?.close();
    api?.kill('SIGKILL');
    await front?.close();
  });

  const answersOf = (status: number) => front.requests.filter((one) => one.status === status).length;
  /** Ends when so many more requests have been acknowledged. */
  const acknowledged = (more: number) => {
    const before = answersOf(204);
    return until(`${more} requests are acknowledged`, () => answersOf(204) >= before + more);
  };

  /** Compares what is stored with all samples that Prometheus itself has stored until now. */
  const assertStoredOnce = async () => {
    const wanted = (await prometheus.stored())
      .flatMap(samplesOf)
      .filter((one) => /^(go_|prometheus_tsdb_head_)/.test(one));
    const last = Math.max(...wanted.map(dateOf));
    let stored: string[] = [];
    await until('all samples are stored', async () => {
      stored = (await storedLines(user)).map(withNumber);
      const present = new Set(stored);
      return wanted.every((sample) => present.has(withNumber(sample)));
    });
    const compared = stored.filter((sample) => dateOf(sample) <= last);
    assert.deepEqual(compared.sort(), wanted.map(withNumber).sort());
    assert.ok(wanted.length > 200, `${wanted.length} samples`);
    assert.equal(await prometheus.metric('prometheus_remote_storage_samples_failed_total'), 0);
  };

  it('has each of its samples stored once after an answer was lost and the API was killed', async () => {
    front.faults = ['lose-answer'];
    await until('an answer is lost', () => front.faults.length === 0);
    const ended = once(api, 'exit');
    api.kill('SIGKILL');
    await ended;
    await until('requests fail', () => answersOf(0) >= 2);
    api = await startApiBehind(front, platform);
    await acknowledged(2);
    await assertStoredOnce();
  });

  it('has each of its samples stored once after MySQL was away', async () => {
    await mysql.cut();
    await until('the platform answers 503', () => answersOf(503) >= 2);
    await mysql.restore();
    await acknowledged(2);
    await assertStoredOnce();
  });
});

/** `name date value`. */
function dateOf(sample: string): number {
  return Number(sample.split(' ').at(-2));
}

/** The same number can be written in several ways. */
function withNumber(sample: string): string {
  const at = sample.lastIndexOf(' ');
  return `${sample.slice(0, at)} ${Number(sample.slice(at + 1))}`;
}
