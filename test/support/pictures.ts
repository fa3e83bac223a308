import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

/** References, and what they were made with. `UPDATE_PICTURES=1 npm test -- test/browser/console-pictures.test.ts` makes them again. */
const FOLDER = join(__dirname, '../browser/pictures');
const MAKER = join(FOLDER, 'made-with.json');
const UPDATES = process.env.UPDATE_PICTURES === '1';
/** Edges of letters may differ a little; a line that moves, or a colour that changes, is more. */
const MOST_DIFFERENT = 0.001;
const STEADY_TRIES = 20;

/** What decides how text is drawn. */
interface Maker {
  chromium: string;
  fonts: string;
}

/** Why pictures cannot be compared here; undefined where they can. */
export async function whyIncomparable(page: Page): Promise<string | undefined> {
  const here = await makerOf(page);
  if (UPDATES) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(MAKER, `${JSON.stringify(here, null, 2)}\n`);
    return undefined;
  }
  const made: Maker = JSON.parse(readFileSync(MAKER, 'utf8'));
  if (here.chromium !== made.chromium)
    return `they were made by Chromium ${made.chromium}, and this is ${here.chromium}`;
  return here.fonts === made.fonts
    ? undefined
    : 'the fonts of this machine are others than those that they were made with';
}

/** Compares what the window shows with its reference. */
export async function compareWithPicture(page: Page, name: string): Promise<void> {
  const { default: pixelmatch } = await import('pixelmatch');
  const seen = halved(PNG.sync.read(await steadyPicture(page)));
  const file = join(FOLDER, `${name}.png`);
  if (UPDATES) return writeFileSync(file, written(seen));
  assert.ok(existsSync(file), `there is no reference ${name}: UPDATE_PICTURES=1 makes it`);
  const wanted = PNG.sync.read(readFileSync(file));
  const { width, height } = wanted;
  assert.deepEqual([seen.width, seen.height], [width, height], name);
  const difference = new PNG({ width, height });
  const count = pixelmatch(seen.data, wanted.data, difference.data, width, height, { threshold: 0.1 });
  if (count <= MOST_DIFFERENT * width * height) return;
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
  writeFileSync(join(folder, `${name}.png`), written(seen));
  writeFileSync(join(folder, `${name}-difference.png`), written(difference));
  assert.fail(
    `${count} pixels of ${name} differ from the reference: see ${folder}, or UPDATE_PICTURES=1 if they should`,
  );
}

/** Half as wide and high: small enough to keep, and edges of letters weigh less. */
function halved({ width, height, data }: PNG): PNG {
  const small = new PNG({ width: width / 2, height: height / 2 });
  const at = (x: number, y: number, channel: number) => data[(y * width + x) * 4 + channel] ?? 0;
  small.data.forEach((_, index) => {
    const [channel, pixel] = [index % 4, Math.floor(index / 4)];
    const [x, y] = [(pixel % small.width) * 2, Math.floor(pixel / small.width) * 2];
    const sum = at(x, y, channel) + at(x + 1, y, channel) + at(x, y + 1, channel) + at(x + 1, y + 1, channel);
    small.data[index] = Math.round(sum / 4);
  });
  return small;
}

function written(picture: PNG): Buffer {
  return PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, filterType: 0, deflateStrategy: 0 });
}

/** Once two in a row are the same. */
async function steadyPicture(page: Page): Promise<Buffer> {
  let before: Buffer | undefined;
  for (let tries = 0; tries < STEADY_TRIES; tries += 1) {
    const now = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (before?.equals(now)) return now;
    before = now;
    await page.waitForTimeout(150);
  }
  return assert.fail('the page does not come to rest');
}

/** Fonts are known by how wide they draw: their names say little. */
async function makerOf(page: Page): Promise<Maker> {
  const version = page.context().browser()?.version() ?? '';
  const widths = await page.evaluate(`(() => {
    const pen = document.createElement('canvas').getContext('2d');
    return ['system-ui', 'ui-monospace, monospace'].flatMap((family) => ['400', '650'].map((weight) => {
      pen.font = weight + ' 100px ' + family;
      return pen.measureText('Sensors 0123456789 °C — fired, pending').width.toFixed(1);
    })).join(' ');
  })()`);
  return { chromium: version.split('.')[0] ?? '', fonts: String(widths) };
}
