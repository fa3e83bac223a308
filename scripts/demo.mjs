// Uploads real data, waits for triggers to fire and deliveries to arrive, and compares them with the expected ones.
// With --short it replays only the first months, and does not wait for a minute of inactivity.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { startReceiver } from './demo/receiver.mjs';
import { compare, printReport } from './demo/report.mjs';
import { ensurePlatform } from './demo/running-platform.mjs';
import { dailyWeather, hourlyTemperatures } from './demo/weather.mjs';

const SHORT_MONTHS = 6;
const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const some = (months) => (values.short ? months.slice(0, SHORT_MONTHS) : months);

/** The data to replay, and its rules. Imported late: the first start installs the package with the data. */
const streamsOfData = async () => [
  {
    name: 'Seattle, temperature by the hour',
    data_type: 'float',
    months: some(await hourlyTemperatures()),
    rules: [
      {
        name: 'rises above 20 °C',
        expression: 'sensor_data_value > 20 and last_sensor_data_value <= 20',
        holds: (value, last) => last !== undefined && value > 20 && last <= 20,
      },
      { name: 'below 4 °C', expression: 'sensor_data_value < 4', holds: (value) => value < 4 },
    ],
  },
  {
    name: 'Seattle, weather by the day',
    data_type: 'json',
    months: some(await dailyWeather()),
    rules: [
      {
        name: 'rises above 30 °C',
        expression: 'sensor_data_value.max > 30 and last_sensor_data_value.max <= 30',
        holds: (value, last) => last !== undefined && value.max > 30 && last.max <= 30,
      },
      { name: 'below freezing', expression: 'sensor_data_value.min < 0', holds: (value) => value.min < 0 },
    ],
  },
];

const platform = await ensurePlatform();
const receiver = await startReceiver();
let failures = ['the demo did not finish'];
try {
  failures = await run();
} catch (error) {
  console.error(`demo: ${error.message}`);
} finally {
  await receiver.close();
  await platform.stop();
}
process.exitCode = failures.length === 0 ? 0 : 1;

async function run() {
  const started = Date.now();
  // Imported late as well: the first start installs the TypeScript loader.
  const require = createRequire(import.meta.url);
  const { replay } = require('./support/typescript.cjs').load(require.resolve('./demo/replay.ts'));
  const inactivity = !values.short;
  const outcome = await replay(platform.url, receiver.url, await streamsOfData(), { inactivity });
  const whole = { ...outcome, received: receiver.received };
  const problems = compare(whole);
  printReport(whole, problems, Date.now() - started);
  return problems;
}
