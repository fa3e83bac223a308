import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildEnvironment, buildSensor, buildTrigger, connectTrigger, create, upload } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import { pngOf } from '../support/plan-pictures';
import { until } from '../support/until';

const OUTLINE = '52.37 4.895,52.3702 4.895,52.3702 4.8954,52.37 4.8954';

describe('environments in the console', function () {
  this.timeout(120_000);
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const open = useConsole(platform, user);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const drawn = (width = 800, height = 640) => pngOf(width, height, { drawn: true });
  const positions = async (id: string) => (await user.api.get(`/environments/${id}/positions`)).body.positions;

  it('begins with a rectangular room, and shows the present values where the sensors are', async () => {
    const freezer = await buildSensor(user, { name: 'Freezer', unit: '°C' });
    const fridge = await buildSensor(user, { name: 'Fridge', unit: '°C' });
    const trigger = await buildTrigger(user, { name: 'Too warm', expression: 'sensor_data_value > -15' });
    await connectTrigger(user, freezer, trigger);
    const page = await open('/environments');
    const errors = watchErrors(page);
    await press(page, 'New environment');
    await page.getByLabel('Name', { exact: true }).fill('Kitchen');
    await inspectConsole(page, 'environment-new');
    await press(page, 'Create');
    await page.getByRole('heading', { name: 'Draw this place' }).waitFor();
    await inspectConsole(page, 'environment-template');
    await press(page, 'Create the room');
    await page.getByRole('img', { name: 'Plan of Kitchen' }).waitFor();
    await page.getByText('24 m²').waitFor();
    const id = page.url().split('/').pop() ?? '';
    await press(page, 'Put sensors in');
    for (const name of ['Freezer', 'Fridge']) await page.getByRole('checkbox', { name }).check();
    await press(page, 'Put in');
    await press(page, 'Put Freezer on the plan');
    await page.getByRole('link', { name: 'Freezer no data' }).waitFor();
    await upload(user, freezer, { value: -20.5 });
    await page.getByRole('link', { name: 'Freezer −20.5 °C ok' }).waitFor();
    await upload(user, freezer, { value: -11.5 });
    await platform.settle();
    await page.getByRole('link', { name: 'Freezer −11.5 °C warning' }).waitFor();
    await press(page, 'Put Fridge on the plan');
    await page.getByRole('link', { name: /^Fridge/ }).waitFor();
    await until('both have places', async () => (await positions(id)).length === 2);
    const [first, second] = await positions(id);
    assert.notEqual(first.position, second.position, 'each sensor gets a place of its own');
    await press(page, 'Move sensors');
    const marker = page.getByRole('button', { name: /^Fridge / });
    const from = await marker.boundingBox();
    assert.ok(from);
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 110, from.y + 70, { steps: 5 });
    await page.mouse.up();
    await until('it has moved', async () => {
      const to = await marker.boundingBox();
      return to !== null && Math.abs(to.x - from.x - 100) < 3 && Math.abs(to.y - from.y - 60) < 3;
    });
    const [, moved] = await positions(id);
    assert.equal(moved.sensor_id, fridge);
    await marker.focus();
    await page.keyboard.press('ArrowLeft');
    await until('the keyboard moves it as well', async () => (await positions(id))[1].position !== moved.position);
    await inspectConsole(page, 'environment-moving');
    await marker.focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Put Fridge on the plan' }).waitFor();
    assert.equal((await positions(id)).length, 1);
    assert.deepEqual(errors, []);
  });

  it('puts many sensors on the plan with one click, apart from each other and inside the outline', async () => {
    const id = await buildEnvironment(user, { name: 'Office', gps_outline: OUTLINE });
    const names = Array.from({ length: 12 }, (_, at) => `Desk ${at + 1}`);
    const ids = await Promise.all(names.map((name) => buildSensor(user, { name })));
    await create(user, `/environments/${id}/sensors`, { sensors: ids.map((sensor) => ({ id: sensor })) });
    await user.api.put(`/environments/${id}/positions`, {
      positions: [{ sensor_id: ids[0], position: '52.3701 4.8952' }],
    });
    const page = await open(`/environments/${id}`);
    const errors = watchErrors(page);
    const all = page.getByRole('button', { name: 'Put all 11 sensors on the plan' });
    await all.waitFor();
    const plan = await page.getByRole('img', { name: 'Plan of Office' }).boundingBox();
    const button = await all.boundingBox();
    assert.ok(plan && button && button.y + button.height <= plan.y, 'the button is above the plan');
    await inspectConsole(page, 'environment-placing');
    await all.click();
    const markers = page.locator('button.marker');
    await until('all are on the plan, to be dragged', async () => (await markers.count()) === 12);
    const places = (await positions(id)).map(({ position }: { position: string }) => position.split(' ').map(Number));
    const inside = places.filter(([north, east]: number[]) => {
      return Number(north) > 52.37 && Number(north) < 52.3702 && Number(east) > 4.895 && Number(east) < 4.8954;
    });
    assert.equal(inside.length, 12);
    const boxes = await Promise.all((await markers.all()).map((marker) => marker.boundingBox()));
    const middles = boxes.map((box) => [(box?.x ?? 0) + (box?.width ?? 0) / 2, box?.y ?? 0] as const);
    const gaps = middles.flatMap(([x, y], at) =>
      middles.slice(at + 1).map(([otherX, otherY]) => Math.hypot(otherX - x, otherY - y)),
    );
    assert.ok(Math.min(...gaps) > 50, `the nearest two are ${Math.min(...gaps)} px apart`);
    assert.deepEqual(errors, []);
  });

  it('takes a picture of the floor plan, moves it, and removes it', async () => {
    const hole = ';52.37005 4.8951,52.3701 4.8951,52.3701 4.8952';
    const id = await buildEnvironment(user, { name: 'Office', gps_outline: OUTLINE + hole });
    const sensor = await buildSensor(user, { name: 'Meeting room', unit: '°C' });
    await create(user, `/environments/${id}/sensors`, { sensors: [{ id: sensor }] });
    await user.api.put(`/environments/${id}/positions`, {
      positions: [{ sensor_id: sensor, position: '52.37015 4.8951' }],
    });
    await upload(user, sensor, { value: 21.5 });
    const page = await open(`/environments/${id}/outline`);
    const errors = watchErrors(page);
    const field = page.getByLabel('Picture of the floor plan');
    await field.setInputFiles({ name: 'plan.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await page.getByText('Choose a picture: PNG, JPEG or WebP.').waitFor();
    await field.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('This picture cannot be read.').waitFor();
    await field.setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: drawn() });
    await page.getByLabel('Width of the picture in metres').waitFor();
    await page.getByLabel('Width of the picture in metres').fill('24');
    await page.getByLabel('Rotation in degrees').fill('5');
    const handle = page.getByRole('button', { name: 'Picture: arrow keys move it' });
    await handle.focus();
    await page.keyboard.press('ArrowUp');
    await inspectConsole(page, 'environment-picture');
    const planOf = async () => (await user.api.get(`/environments/${id}/floor_plan`)).body.floor_plan;
    const before = await planOf();
    await press(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const after = await planOf();
    assert.deepEqual([after.width, after.rotation], [24, 5]);
    const { environment } = (await user.api.get(`/environments/${id}`)).body;
    assert.equal(environment.gps_outline, OUTLINE + hole, 'saving keeps the holes');
    assert.ok(Number(after.position.split(' ')[0]) > Number(before.position.split(' ')[0]), 'further in the north');
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByRole('link', { name: 'Meeting room 21.5 °C' }).waitFor();
    await inspectConsole(page, 'environment-plan');
    await page.getByRole('link', { name: 'Outline and picture' }).click();
    await press(page, 'Remove the picture');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the picture' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Width of the picture in metres').waitFor({ state: 'detached' });
    assert.equal((await user.api.get(`/environments/${id}/floor_plan`)).status, 404);
    assert.deepEqual(errors, []);
  });

  it('reduces a picture that is larger than the platform takes', async () => {
    const id = await buildEnvironment(user, { name: 'Hall', gps_outline: OUTLINE });
    const page = await open(`/environments/${id}/outline`);
    const buffer = drawn(5_000, 1_000);
    await page
      .getByLabel('Picture of the floor plan')
      .setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer });
    await page.getByLabel('Width of the picture in metres').waitFor();
    const { type, pixel_width, pixel_height } = (await user.api.get(`/environments/${id}/floor_plan`)).body.floor_plan;
    assert.deepEqual([type, pixel_width, pixel_height], ['image/jpeg', 2_400, 480]);
  });

  it('speaks German', async () => {
    const id = await buildEnvironment(user, { name: 'Büro', gps_outline: OUTLINE });
    const page = await open(`/environments/${id}/outline`, { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Speichern' }).waitFor();
    await inspectConsole(page, 'environment-german');
  });
});
