import assert from 'node:assert/strict';
import { isRemoteWriteV2 } from '../../../src/gateways/protocols/remote-write';
import { type SendingPrometheus, samplesOf, startSendingPrometheus } from '../../support/agents/prometheus';
import { type RemoteWriteReceiver, startRemoteWriteReceiver } from '../../support/agents/remote-write-receiver';
import { hasPrometheus } from '../../support/prometheus-process';
import { until } from '../../support/until';

describe('remote write of a running Prometheus', () => {
  let receiver: RemoteWriteReceiver;
  let prometheus: SendingPrometheus;

  before(async function () {
    if (!(await hasPrometheus())) {
      console.log('      skipped: prometheus is not installed (apt-get install prometheus)');
      this.skip();
    }
    receiver = await startRemoteWriteReceiver();
    prometheus = await startSendingPrometheus({ url: receiver.url, token: 'a-key' });
  });
  after(async () => {
    await prometheus?.close();
    await receiver?.close();
  });

  /** Answers with this status from now on; ends when it has done so as often. */
  const answer = (status: number, count: number) => {
    receiver.status = status;
    receiver.answered = 0;
    return until(`${count} requests are answered by ${status}`, () => receiver.answered >= count);
  };

  /** Compares what has arrived with all samples that Prometheus has stored until now. */
  const assertAllArrive = async () => {
    const stored = (await prometheus.stored()).flatMap(samplesOf).sort();
    const last = Math.max(...stored.map(dateOf));
    const arrived = () => receiver.points.map(({ series, value, dateMs }) => `${series.name} ${dateMs} ${value}`);
    await until('all samples arrive', () => {
      const present = new Set(arrived());
      return stored.every((sample) => present.has(sample));
    });
    const compared = arrived().filter((sample) => dateOf(sample) <= last);
    assert.deepEqual(compared.sort(), stored);
    return stored.length;
  };

  const metric = (name: string) => prometheus.metric(`prometheus_remote_storage_samples_${name}_total`);

  it('brings every sample that Prometheus has stored, with its labels, date and value', async () => {
    await answer(204, 3);
    const count = await assertAllArrive();
    assert.ok(count > 500, `${count} samples`);
    assert.deepEqual(receiver.problems, []);
    assert.equal(receiver.headers.authorization, 'Bearer a-key');
    assert.equal(isRemoteWriteV2(receiver.headers), false);
  });

  it('repeats what was answered by 503, until it is stored', async () => {
    await answer(503, 3);
    await answer(204, 1);
    await assertAllArrive();
    assert.equal(await metric('failed'), 0);
    assert.notEqual(await metric('retried'), 0);
  });

  it('drops what was answered by 400', async () => {
    await answer(400, 1);
    await answer(204, 2);
    assert.notEqual(await metric('failed'), 0);
    assert.match(prometheus.output(), /non-recoverable error.*400 Bad Request/);
  });
});

/** The date is the last word but one. */
function dateOf(sample: string): number {
  return Number(sample.split(' ').at(-2));
}
