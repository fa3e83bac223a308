import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Front, startFront } from '../support/agents/front';
import { RTL_433, skipWithout } from '../support/agents/programs';
import { type Radio, startRadio } from '../support/agents/radio';
import { storedSeries } from '../support/agents/stored-series';
import { createKey } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { until } from '../support/until';

/** What rtl_433 prints of a message that it decodes. */
interface Decoded {
  time: string;
  temperature_C: number;
}

describe('rtl_433, which hears a thermometer', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let front: Front;
  let radio: Radio;
  let receiver: ChildProcess;
  let output = '';

  before(async function () {
    await skipWithout(this, RTL_433);
    front = await startFront(platform.url);
    radio = await startRadio();
    const { secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    const target = `influx://${front.address}/api/v2/write?org=home&bucket=home,token=${secret}`;
    const options = ['-M', 'time:unix:usec:utc', '-F', 'json', '-F', target];
    receiver = spawn('rtl_433', ['-d', `rtl_tcp:${radio.address}`, ...options], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    receiver.stdout?.on('data', (text) => {
      output += text;
    });
  });
  after(async () => {
    if (receiver?.exitCode === null && receiver.kill('SIGKILL')) await once(receiver, 'exit');
    await radio?.close();
    await front?.close();
  });

  const decoded = (): Decoded[] =>
    output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  /** Transmits until it is decoded: at first nobody listens. */
  const transmit = async (celsius: number) => {
    const isDecoded = () => decoded().some((message) => Math.abs(message.temperature_C - celsius) < 0.01);
    let next = 0;
    await until(`${celsius} °C is decoded`, () => {
      if (!isDecoded() && Date.now() > next) {
        radio.transmit({ id: 42, channel: 1, celsius, humidity: 48 });
        next = Date.now() + 2_000;
      }
      return isDecoded();
    });
  };
  const answered = (count: number) =>
    until(`${count} requests are answered`, () => front.requests.filter(({ status }) => status !== 0).length >= count);

  it('gets each message that it decodes stored once, with its date', async () => {
    for (let tenth = 0; tenth < 5; tenth += 1) {
      await transmit(21 + tenth / 10);
      await answered(tenth + 1);
    }
    const [series, ...others] = await storedSeries(user);
    assert.deepEqual([series?.name, others], ['Nexus-TH,channel=1,id=42', []]);
    const points = (series?.points ?? []).map(({ dateMs, value }) => [dateMs, celsiusOf(value)]);
    const wanted = decoded().map(({ time, temperature_C }) => [Math.floor(Number(time) * 1_000), temperature_C]);
    assert.deepEqual(points, wanted);
  });

  it('loses a message that is answered by an error, and continues with the next', async () => {
    for (const [index, status] of [400, 403, 503].entries()) {
      front.faults = [{ status }];
      await transmit(30 + index);
      await until('it is answered', () => front.faults.length === 0);
    }
    await transmit(40);
    await answered(decoded().length);
    const [series] = await storedSeries(user);
    const celsius = (series?.points ?? []).map(({ value }) => celsiusOf(value));
    assert.deepEqual(celsius.slice(-2), [21.4, 40]);
  });
});

/** rtl_433 computes with single precision: 21.200001. */
function celsiusOf(value: string): number {
  return Number(JSON.parse(value).temperature_C.toFixed(1));
}
