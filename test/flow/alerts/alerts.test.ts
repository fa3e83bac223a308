import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildNotification, buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';
import { startWorkerElsewhere } from '../../support/other-process';
import { checkRules, type Prometheus, startPrometheus } from '../../support/prometheus';
import { hasPrometheus } from '../../support/prometheus-process';
import { until } from '../../support/until';

/** The size of the disk that the test fills. */
const DISK_BYTES = 2 ** 20;

describe('the alerts', () => {
  let disk: string | undefined;
  before(async function () {
    if (await hasPrometheus()) disk = mount();
    else {
      console.log('      skipped: prometheus is not installed (apt-get install prometheus)');
      this.skip();
    }
  });

  describe('in a Prometheus that scrapes a running platform', () => {
    const redis = useCuttable('REDIS_URL');
    const platform = usePlatform(() => ({ config: { REDIS_URL: redis.url, ...(disk && { DATA_DIR: disk }) } }));
    const user = useUser(platform);
    let prometheus: Prometheus;
    let worker: ChildProcess;

    before(async () => {
      worker = await startWorkerElsewhere(platform, redis.url);
      prometheus = await startPrometheus(platform.url);
    });
    after(async () => {
      worker?.kill('SIGKILL');
      await prometheus?.close();
      if (disk) {
        execFileSync('umount', ['--lazy', disk]);
        rmdirSync(disk);
      }
    });

    const untilFiring = (...names: string[]) =>
      until(
        `exactly ${names.join(', ')} fire`,
        async () => JSON.stringify(await prometheus.firing()) === JSON.stringify([...names].sort()),
      ).catch(async (error: Error) => {
        throw new Error(`${error.message}; these fire: ${(await prometheus.firing()).join(', ')}`);
      });

    it('are accepted by promtool, and so are all queries of the dashboard', async () => {
      assert.equal(await checkRules(), '');
      const { panels } = JSON.parse(readFileSync(join(__dirname, '../../../docs/operate/grafana.json'), 'utf8'));
      const targets: { expr: string }[] = panels.flatMap(({ targets: of = [] }) => of);
      for (const { expr } of targets) await prometheus.query(expr.replaceAll('$__rate_interval', '10s'));
    });

    it('are those of the faults that are planted, and no others', async () => {
      await until(
        'the worker is counted',
        async () => (await prometheus.query('max(platform_workers) == 1')).length > 0,
      );
      await until('three scrapes', async () => (await prometheus.query('count_over_time(up[30s]) >= 3')).length > 0);
      assert.deepEqual(await prometheus.firing(), []);

      const dead = await buildNotification(user, { destination: 'http://127.0.0.1:1/' });
      for (let index = 0; index < 3; index += 1) await user.api.post(`/notifications/${dead}/test?wait=0`);
      await untilFiring('ReceiverFailing');

      if (disk) {
        const file = join(disk, 'filler');
        writeFileSync(file, Buffer.alloc(DISK_BYTES * 0.94));
        await untilFiring('DiskNearlyFull', 'ReceiverFailing');
        writeFileSync(file, '');
        await untilFiring('ReceiverFailing');
      } else console.log('        without a full disk: mounting one needs root');

      const sensorId = await buildSensor(user);
      await connectTrigger(user, sensorId, await buildTrigger(user));
      worker.kill('SIGKILL');
      await upload(user, sensorId, { value: 1 });
      await untilFiring('BacklogGrowing', 'NoWorkers', 'ReceiverFailing', 'WorkerLost');

      await redis.cut();
      // Without Redis nobody knows how many workers run.
      await untilFiring('BacklogGrowing', 'ReceiverFailing', 'RedisDown');
      await redis.restore();

      worker = await startWorkerElsewhere(platform, redis.url);
      await untilFiring('ReceiverFailing');
    });
  });
});

/** The folder of a small disk; undefined where mounting is not permitted. */
function mount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sensors-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmdirSync(folder);
    return undefined;
  }
}
