import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { csvRows } from '../../support/csv-rows';
import { buildSensor, createKey, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUser, useUserPerTest } from '../../support/hooks';

describe('lists as CSV and NDJSON', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const ada = useUserPerTest(platform);
  const other = useUser(platform);

  const read = async (path: string, headers?: Record<string, string>, separator: ',' | ';' = ',') => {
    const { status, body, headers: sent } = await ada.api.get(path, headers);
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(sent.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
    return { text: String(body), name: sent.get('content-disposition'), ...csvRows(String(body), separator) };
  };

  it('have the sensors that the caller can see', async () => {
    await buildSensor(other, { name: 'of somebody else' });
    const id = await buildSensor(ada, { name: 'a, "b"', display_name: 'Café', unit: '°C', expected_interval: 60 });
    const { rows, name, text } = await read('/sensors.csv');
    assert.equal(name, 'attachment; filename="sensors.csv"');
    assert.equal(rows.length, 1);
    const { id: found, name: named, display_name, unit, expected_interval, owner } = rows[0] ?? {};
    assert.deepEqual(
      [found, named, display_name, unit, expected_interval, owner],
      [id, 'a, "b"', 'Café', '°C', '60', ''],
    );
    assert.equal((await read('/sensors', { Accept: 'text/csv' })).text, text);
    assert.equal((await read('/sensors.csv?per_page=1&page=1')).rows.length, 0);
    const { body } = await ada.api.get('/sensors.ndjson');
    assert.deepEqual(JSON.parse(String(body)), (await ada.api.get('/sensors')).body.sensors[0]);
    const { secret } = await createKey(ada, { scopes: ['read'], sensors: [await buildSensor(ada)] });
    const limited = await platform.anonymous.get('/sensors.csv', { Authorization: `Bearer ${secret}` });
    assert.doesNotMatch(String(limited.body), /Café/);
    assert.equal((await platform.anonymous.get('/sensors.csv')).status, 401);
    assert.equal((await ada.api.get('/sensors.csv?timezone=Berlin')).status, 400);
    assert.equal((await ada.api.get('/sensors.csv?group_id=999999')).status, 404);
  });

  it('have no cell that a spreadsheet would run as a formula, and numbers as they are', async () => {
    const [formula, number] = ['=HYPERLINK("https://example.org","open")', '-5'];
    const { sensorId } = await buildAlarm(ada, {
      sensor: { name: formula, unit: '@', data_type: 'string' },
      trigger: { name: '+1+1', expression: 'sensor_data_value != ""' },
      notifications: [{ type: 'url', destination: receiver.url, text: '-{{sensor_data_value}}' }],
    });
    await upload(ada, sensorId, { value: formula });
    await platform.settle();
    await buildSensor(ada, { name: number });
    assert.deepEqual(
      (await read('/sensors.csv')).rows.map(({ name, unit }) => [name, unit]),
      [
        [`'${formula}`, "'@"],
        [number, ''],
      ],
    );
    const [firing] = (await read('/firings.csv')).rows;
    assert.deepEqual(
      [firing?.sensor_name, firing?.trigger_name, firing?.value],
      [`'${formula}`, "'+1+1", `'${formula}`],
    );
    const [delivery] = (await read('/deliveries.csv')).rows;
    assert.deepEqual([delivery?.sensor_name, delivery?.text], [`'${formula}`, `'-${formula}`]);
    const report = await read(`/reports/sensors.csv?sensor_id[]=${sensorId}&start_date=0&end_date=86400`);
    assert.equal(report.rows[0]?.sensor_name, `'${formula}`);
    await upload(ada, sensorId, { value: number });
    const selection = await read(`/sensors/data.csv?sensor_id[]=${sensorId}&columns=sensors`);
    const [, heading = ''] = selection.names;
    assert.deepEqual([heading[0], selection.rows.map((row) => row[heading])], ["'", [`'${formula}`, number]]);
    const exact = await read(`/sensors/${sensorId}/data.csv`);
    assert.deepEqual(
      exact.rows.map(({ value }) => value),
      [formula, number],
    );
    const { body } = await ada.api.get('/sensors.ndjson');
    assert.equal(JSON.parse(String(body).split('\n')[0] ?? '').name, formula);
  });

  it('have alerts with the names of sensor and trigger and what was done, and their deliveries', async () => {
    const { sensorId, triggerId } = await buildAlarm(ada, {
      sensor: { name: 'Freezer', data_type: 'float' },
      trigger: { name: 'too; warm', expression: 'sensor_data_value > 30' },
      notifications: [{ type: 'url', destination: receiver.url, text: 'it is {{sensor_data_value}}' }],
    });
    await upload(ada, sensorId, { value: 31.5 });
    await platform.settle();
    const [{ id, date, sensor_name, trigger_name }] = (await ada.api.get('/firings')).body.firings;
    assert.deepEqual([sensor_name, trigger_name], ['Freezer', 'too; warm']);
    await ada.api.post(`/firings/${id}/acknowledge`, { note: 'on my way' });
    const zone = 'dates=local&timezone=Europe/Berlin&separator=semicolon';
    const { rows, names } = await read(`/firings.csv?state=firing&${zone}`, undefined, ';');
    const [row] = rows;
    assert.equal(names[0], 'date (Europe/Berlin)');
    assert.match(row?.['date (Europe/Berlin)'] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.deepEqual(
      [row?.sensor_id, row?.sensor_name, row?.trigger_id, row?.trigger_name, row?.value, row?.state, row?.note],
      [sensorId, 'Freezer', triggerId, 'too; warm', '31,5', 'firing', 'on my way'],
    );
    assert.equal((await read(`/firings.csv?start_date=${date + 1}`)).rows.length, 0);
    assert.equal((await read(`/firings.csv?end_date=${date}`)).rows.length, 1);
    const deliveries = await read('/deliveries.csv');
    assert.deepEqual(
      deliveries.rows.map(({ status, sensor_name: sensor, text, attempts }) => [status, sensor, text, attempts]),
      [['delivered', 'Freezer', 'it is 31.5', '1']],
    );
    assert.equal((await read(`/deliveries.csv?end_date=${date - 60}`)).rows.length, 0);
    for (const path of ['/firings.csv', '/deliveries.csv']) {
      assert.equal(String((await other.api.get(path)).body).split('\r\n').length, 2, path);
    }
  });

  it('are JSON for those who ask for it, or for anything', async () => {
    for (const accept of ['*', '*/*, *', 'application/json, text/csv', 'text/html,*/*;q=0.8']) {
      const { headers } = await ada.api.get('/sensors', { Accept: accept });
      assert.match(headers.get('content-type') ?? '', /^application\/json/, accept);
    }
    for (const path of ['/triggers.csv', '/sensors/metatags.csv'])
      assert.equal((await ada.api.get(path)).status, 404, path);
  });
});
