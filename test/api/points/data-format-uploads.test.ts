import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { buildSensor, createKey, share } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';

const CSV = { 'Content-Type': 'text/csv' };
const LINES = { 'Content-Type': 'application/x-ndjson' };

describe('uploads in CSV and NDJSON', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);

  const valuesOf = async (id: string) => {
    const { body } = await ada.api.get(`/sensors/${id}/data?per_page=1000`);
    return body.data.map(({ date, value }: { date: number; value: string }) => [date, value]);
  };

  it('store what was downloaded, with dates of both kinds', async () => {
    const id = await buildSensor(ada);
    const csv =
      'date,value\r\n2026-11-21T10:00:00Z,1\r\n2026-11-21T11:00:00.5+01:00,"a,""b""\r\nc"\r\n1795229544.25,true\n\n';
    assert.equal((await ada.api.post(`/sensors/${id}/data`, csv, CSV)).status, 201);
    const noon = Date.UTC(2026, 10, 21, 10) / 1000;
    assert.deepEqual(await valuesOf(id), [
      [1_795_229_544.25, 'true'],
      [noon, '1'],
      [noon + 0.5, 'a,"b"\r\nc'],
    ]);
    const other = await buildSensor(ada);
    const { body: lines } = await ada.api.get(`/sensors/${id}/data.ndjson`);
    const records = String(lines).replaceAll(`"sensor_id":"${id}"`, `"sensor_id":"${other}"`);
    const stored = await ada.api.post(`/sensors/${other}/data`, records, LINES);
    assert.deepEqual(stored.body, { data: { accepted: 3 } });
    assert.deepEqual(await valuesOf(other), await valuesOf(id));
    const packed = await fetch(`${platform.url}/sensors/${other}/data`, {
      method: 'POST',
      headers: {
        'X-SESSION_ID': ada.session,
        'Content-Type': 'text/csv; charset=utf-8; header=present',
        'Content-Encoding': 'gzip',
      },
      body: gzipSync('\ufeffvalue,date\n7,\n'),
    });
    assert.equal(packed.status, 201);
    assert.equal((await valuesOf(other)).length, 4, 'without a date it is now');
    const several = `{"sensor_id":${id},"value":{"lux":3},"date":1}\n\n{"sensor_id":"${other}","value":false,"date":"1970-01-01T00:00:01z"}`;
    assert.deepEqual((await ada.api.post('/sensors/data', several, LINES)).body, { data: { accepted: 2 } });
    const { secret } = await createKey(ada, { scopes: ['data:write'], sensors: [id] });
    const device = { ...CSV, Authorization: `Bearer ${secret}` };
    assert.equal((await platform.anonymous.post(`/sensors/${id}/data`, 'value\n8', device)).status, 201);
    const limited = await platform.anonymous.post('/sensors/data', `sensor_id,value\n${other},8`, device);
    assert.equal(limited.status, 404);
    assert.match(limited.body.error, /^line 2 sensor_id /);
  });

  it('are read as spreadsheets write them', async () => {
    const [id, other] = [await buildSensor(ada, { data_type: 'float' }), await buildSensor(ada, { data_type: 'json' })];
    const post = async (path: string, text: string, type: string) => {
      const { status, body } = await ada.api.post(path, text, { 'Content-Type': type });
      assert.equal(status, 201, JSON.stringify(body));
      return body.data.accepted;
    };
    const path = `/sensors/${id}/data`;
    assert.equal(await post(path, '\ufeffsep=;\r\ndate;value\r\n1;2.5\r\n', 'application/vnd.ms-excel'), 1);
    assert.equal(await post(path, '"sep=\t"\ndate\tvalue\n2\t"a\tb"\n', 'text/tab-separated-values; charset=utf-8'), 1);
    assert.equal(await post(path, 'value;date\n\n;\n;;\n"c;d,e";3\n ; \n', 'application/csv'), 1);
    assert.equal(await post(path, 'date\tvalue\n4\t5,5\n', 'text/csv'), 1);
    assert.equal(await post(path, 'date,value\n5,6;7\n,\n', 'text/csv'), 1);
    assert.deepEqual(await valuesOf(id), [
      [1, '2.5'],
      [2, 'a\tb'],
      [3, 'c;d,e'],
      [4, '5,5'],
      [5, '6;7'],
    ]);
    assert.equal(await post('/sensors/data', `sensor_id;value.a;date\n${other};1;1\n`, 'text/csv'), 1);
    assert.equal(await post(`/sensors/${other}/data`, 'value.a;value.b\n1;2\n', 'text/csv'), 1);
    assert.equal(await post(`/sensors/${other}/data`, 'date,value.a;b\n2,3\n', 'text/csv'), 1);
    assert.deepEqual((await valuesOf(other)).map(([, value]: [number, string]) => value).sort(), [
      '{"a":1,"b":2}',
      '{"a":1}',
      '{"a;b":3}',
    ]);
    for (const [text, message] of [
      ['sep=;\ndate;value\n1;2\n1;2;3\n', /^line 4 has 3 cells, and the header 2/],
      ['date;temperature\n1;2\n', /^line 1 has the column "temperature"/],
      ['sep=;\ndate,value\n1,2\n', /^line 2 has the column "date,value"/],
    ] as const) {
      const { status, body } = await ada.api.post(path, text, CSV);
      assert.equal(status, 400, text);
      assert.match(body.error, message);
    }
  });

  it('have numbers with decimal commas where semicolons separate the cells, unless a number can be read in two ways', async () => {
    const types = ['float', 'json', 'string'];
    const ids: string[] = [];
    for (const data_type of types) ids.push(await buildSensor(ada, { data_type }));
    const [float = '', json = '', text = ''] = ids;
    const post = async (id: string, body: string) => (await ada.api.post(`/sensors/${id}/data`, body, CSV)).body;
    const commas = 'date;value\n1;21,5\n2;-0,125\n3;1,2,3\n4;7\n5; +1,5e3 \n';
    for (const id of ids) assert.deepEqual(await post(id, commas), { data: { accepted: 5 } });
    const numbers = ['21.5', '-0.125', '1,2,3', '7', ' +1.5e3 '];
    for (const id of [float, json])
      assert.deepEqual(
        (await valuesOf(id)).map(([, value]: string[]) => value),
        numbers,
      );
    const asSent = ['21,5', '-0,125', '1,2,3', '7', ' +1,5e3 '];
    assert.deepEqual(
      (await valuesOf(text)).map(([, value]: string[]) => value),
      asSent,
    );
    assert.deepEqual(await post(json, 'date;value.t;value.name\n9;1,5;a,b\n'), { data: { accepted: 1 } });
    assert.deepEqual((await valuesOf(json)).at(-1), [9, '{"t":1.5,"name":"a,b"}']);
    assert.deepEqual(await post(float, 'date;value\n9;2.5\n'), { data: { accepted: 1 } }, 'points alone stay points');
    const rule = ': write all numbers with the same decimal mark, and without groups of digits';
    for (const [body, error] of [
      ['date;value\n1;21,5\n2;22.5\n', 'line 3 has 22.5 as value, and line 2 has 21,5'],
      ['date;value\n1;22.5\n2;21,5\n', 'line 3 has 21,5 as value, and line 2 has 22.5'],
      ['date;value.p;value.t\n1;1.013;21,5\n', 'line 2 has 1.013 as value.p, and line 2 has 21,5'],
    ] as const) {
      const { status, body: refusal } = await ada.api.post(`/sensors/${float}/data`, body, CSV);
      assert.deepEqual([status, refusal.error], [400, error + rule]);
      assert.deepEqual(await post(text, body), { data: { accepted: body.split('\n').length - 2 } });
    }
    const bob = await platform.user();
    const mixed = 'date;value\n1;21,5\n2;22.5\n';
    for (const data_type of types) {
      const foreign = await buildSensor(bob, { data_type });
      const { status, body } = await ada.api.post(`/sensors/${foreign}/data`, mixed, CSV);
      assert.equal(status, 400, JSON.stringify(body));
    }
    const several = `sensor_id;date;value\n${float};7;1,5\n${text};7;1.5\n${text};8;1,5\n`;
    assert.deepEqual((await ada.api.post('/sensors/data', several, CSV)).body, { data: { accepted: 3 } });
    assert.deepEqual((await valuesOf(text)).slice(-2), [
      [7, '1.5'],
      [8, '1,5'],
    ]);
  });

  it('may name the date as other platforms do, as JSON and forms may', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const names = ['timestamp', 'time', 'ts', 'created_at', 'createdAt', 'datetime', 'date_time'];
    for (const name of [...names, 'Date', 'DATE', 'Timestamp', 'DateTime', 'dateTime', 'Created_At']) {
      const id = await buildSensor(ada);
      const path = `/sensors/${id}/data`;
      const ways = (date: string): [string, Record<string, string>?][] => [
        [`${name},value\n${date},21.5\n`, CSV],
        [`${name};value\n${date};21.5\n`, CSV],
        [`${JSON.stringify({ [name]: date, value: 21.5 })}\n`, LINES],
        [JSON.stringify({ data: [{ [name]: date, value: 21.5 }] })],
        [`data[${name}]=${date}&data[value]=21.5`, form],
      ];
      for (const [text, headers] of ways('2026-11-20T10:00:00Z')) {
        const { status, body } = await ada.api.post(path, text, headers);
        assert.deepEqual([status, body], [201, { data: { accepted: 1 } }], text);
        assert.deepEqual(await valuesOf(id), [[1_795_168_800, '21.5']], text);
        await ada.api.delete(`${path}?start_date=0&end_date=1795168800`);
      }
      for (const [text, headers] of ways('yesterday')) {
        const refused = await ada.api.post(path, text, headers);
        assert.equal(refused.status, 400);
        assert.match(refused.body.error, new RegExp(`${name} must be a time`), text);
      }
      assert.deepEqual(await valuesOf(id), []);
    }
  });

  it('are refused where two names of the date have different dates, unless there is a date', async () => {
    const id = await buildSensor(ada);
    const path = `/sensors/${id}/data`;
    const csv = await ada.api.post(path, 'Timestamp,created_at,value\n1,1,5\n2,3,6\n', CSV);
    assert.deepEqual(
      [csv.status, csv.body.error],
      [400, 'line 3 created_at is another date than Timestamp: send one of them, as date'],
    );
    const json = await ada.api.post(path, { data: [{ value: 1, Date: 1, datetime: 2 }] });
    assert.deepEqual(
      [json.status, json.body.error],
      [400, 'data[0].datetime is another date than Date: send one of them, as date'],
    );
    assert.equal((await ada.api.post(path, { value: 1, date: 7, Date: 1, datetime: 2 })).status, 201);
    assert.deepEqual(await valuesOf(id), [[7, '1']]);
  });

  it('have no point where a value is missing, except for sensors of text', async () => {
    const types = ['float', 'json', '', 'String'];
    const ids: string[] = [];
    for (const data_type of types) ids.push(await buildSensor(ada, { data_type }));
    const [float = '', json = '', , text = ''] = ids;
    const gaps = 'date,value\n1,5\n1,\n2,\n3, \n4,6\n';
    for (const id of ids) {
      const { status, body } = await ada.api.post(`/sensors/${id}/data`, gaps, CSV);
      assert.equal(status, 201, JSON.stringify(body));
      assert.equal(body.data.accepted, id === text ? 5 : 2);
    }
    const numbers = [
      [1, '5'],
      [4, '6'],
    ];
    assert.deepEqual(await valuesOf(float), numbers);
    assert.deepEqual(await valuesOf(text), [
      [1, ''],
      [2, ''],
      [3, ' '],
      [4, '6'],
    ]);
    const fields = await ada.api.post(`/sensors/${json}/data`, 'date,value.a,value.b\n5,1,\n6,,\n7,,2\n', CSV);
    assert.deepEqual(fields.body, { data: { accepted: 2 } });
    const lines = [`${float},8,`, `${text},8,`, `${float},9,1`].join('\n');
    const several = await ada.api.post('/sensors/data', `sensor_id,date,value\n${lines}\n`, CSV);
    assert.deepEqual(several.body, { data: { accepted: 2 } });
    assert.deepEqual((await valuesOf(text)).at(-1), [8, '']);
    assert.equal((await ada.api.post(`/sensors/${float}/data`, 'date,value\n1,\n', CSV)).status, 400);
    await ada.api.post(`/sensors/${float}/data`, { value: '', date: 10 });
    assert.deepEqual((await valuesOf(float)).at(-1), [10, ''], 'what JSON says is taken as it is');
  });

  it('may name their columns in any letter case', async () => {
    const id = await buildSensor(ada);
    assert.equal((await ada.api.post(`/sensors/${id}/data`, 'Date,VALUE\n1,2\n', CSV)).status, 201);
    assert.equal((await ada.api.post(`/sensors/${id}/data`, `Sensor_ID,DATE,Value.Lux\n${id},2,3\n`, CSV)).status, 201);
    assert.deepEqual(await valuesOf(id), [
      [1, '2'],
      [2, '{"Lux":3}'],
    ]);
  });

  it('are refused with the number of the first bad line, and nothing is stored', async () => {
    const bob = await platform.user();
    const [id, foreign] = [await buildSensor(ada), await buildSensor(bob)];
    await share(bob, foreign, ada);
    const refusals: [string, string, Record<string, string>, RegExp, number?][] = [
      [`/sensors/${id}/data`, 'date,value\n1,2\n1,2,3\n', CSV, /^line 3 has 3 cells, and the header 2/],
      [`/sensors/${id}/data`, 'date,value\n1,"2\n3"\nyesterday,4\n', CSV, /^line 4 date must be a time/],
      [`/sensors/${id}/data`, 'date,value\n2026-02-30T00:00:00Z,4\n', CSV, /^line 2 date must be a time/],
      [`/sensors/${id}/data`, 'date,value\n2026-02-20T00:00:00,4\n', CSV, /^line 2 date must be a time/],
      [`/sensors/${id}/data`, 'date,value\n1,2\n1,"2"3\n', CSV, /^line 3 has a quote/],
      [`/sensors/${id}/data`, 'date,value\n1,"2\n', CSV, /^line 2 has a quote/],
      [`/sensors/${id}/data`, 'date,temperature\n1,2\n', CSV, /^line 1 has the column "temperature"/],
      [`/sensors/${id}/data`, 'date\n1\n', CSV, /^line 1 has no column value/],
      [`/sensors/${id}/data`, 'value,value\n1,2\n', CSV, /^line 1 names a column twice/],
      [`/sensors/${id}/data`, 'value.__proto__\n1\n', CSV, /^line 1 has the column/],
      [`/sensors/${id}/data`, 'date,value\n', CSV, /must contain at least one data point/],
      [
        `/sensors/${id}/data`,
        `sensor_id,value\n${foreign},2\n${id},2\n`,
        CSV,
        /^line 3 sensor_id names another sensor/,
      ],
      [`/sensors/${id}/data`, `value\n${'1\n'.repeat(10_001)}`, CSV, /^line 10002 is beyond the 10000 points/],
      [`/sensors/${id}/data`, `value\n"${'x'.repeat(65_536)}"\n`, CSV, /^line 2 value is longer than 65535/],
      [`/sensors/${id}/data`, '{"value":1}\n{"value":}\n', LINES, /^line 2 is not a JSON object/],
      [`/sensors/${id}/data`, '{"value":1}\n[1]\n', LINES, /^line 2 is not a JSON object/],
      [`/sensors/${id}/data`, '{"value":1}\n\n{"date":1}\n', LINES, /^line 3 value is required/],
      ['/sensors/data', 'value\n1\n', CSV, /^line 2 sensor_id is required/],
      [
        '/sensors/data',
        `sensor_id,value\n${id},1\n999999,1\n`,
        CSV,
        /^line 3 sensor_id names a sensor that does not/,
        404,
      ],
      [
        '/sensors/data',
        `sensor_id,value\n${id},1\n${foreign},1\n`,
        CSV,
        /^line 3 sensor_id names a sensor that only/,
        403,
      ],
    ];
    for (const [path, text, headers, message, status = 400] of refusals) {
      const { status: actual, body } = await ada.api.post(path, text, headers);
      assert.equal(actual, status, `${text.slice(0, 50)}: ${JSON.stringify(body)}`);
      assert.match(body.error, message);
      assert.ok(Object.keys(body.fields).length === 1);
    }
    assert.deepEqual(await valuesOf(id), []);
    for (const path of [`/sensors/${foreign}999/data.csv`, '/sensors/data.ndjson?sensor_id=999999']) {
      const { status, body } = await ada.api.get(path);
      assert.deepEqual([status, body.code], [404, 'not_found']);
    }
    const hidden = await buildSensor(bob);
    assert.equal((await ada.api.get(`/sensors/${hidden}/data.csv`)).status, 404);
    assert.equal((await ada.api.get(`/sensors/${foreign}/data.csv`)).status, 200);
    assert.equal((await ada.api.get('/groups.csv')).status, 404);
  });
});
