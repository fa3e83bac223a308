import { api, ask } from '../../api';

/** The model of the device that marks sample sensors. */
const SAMPLE = 'sample data';
/** The sample never reaches this by itself, so a trigger on warmth fires only on the user's value. */
export const WARM = 31;

const STEP = 600;
const DAY = 86_400;
const DAYS = 30;

/** Creates a sensor with a month of made-up temperatures up to now; returns its id. */
export async function createSample(): Promise<string> {
  const sensor = { name: 'Greenhouse (sample)', data_type: 'float', device_type: SAMPLE, unit: '°C' };
  const { sensor: made } = await ask(api.post('/sensors', { body: { sensor } }));
  await ask(api.upload(made.id, samplePoints(Date.now() / 1000)));
  return made.id;
}

export function isSample({ device_type: model }: { device_type: string }): boolean {
  return model === SAMPLE;
}

/** A point every ten minutes: warm by day, and hot on two days, one of them yesterday. */
function samplePoints(now: number): { date: number; value: number }[] {
  const last = Math.floor(now / STEP) * STEP;
  const count = (DAYS * DAY) / STEP;
  const localDays = (date: number) => date / DAY - new Date(date * 1000).getTimezoneOffset() / 1_440;
  return Array.from({ length: count + 1 }, (_, at) => {
    const date = last - (count - at) * STEP;
    const day = Math.floor(localDays(date));
    const hours = (localDays(date) - day) * 24;
    const sun = Math.max(0, Math.sin(((hours - 7) / 13) * Math.PI));
    const isHot = (Math.floor(localDays(last)) - day) % 15 === 1;
    const waver = 0.35 * Math.sin(at * 0.9) + 0.25 * Math.sin(at * 0.23);
    return { date, value: Math.round((16 + sun * (isHot ? 13 : 7) + waver) * 10) / 10 };
  });
}
