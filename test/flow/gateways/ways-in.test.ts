import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { buildSensor, createKey } from '../../support/factories';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import { fillSettings, fillText, valuesFor } from '../../support/ways-in';

const LINE = 'weather,station=roof temp=11.5';

/** Requests are sent as the documents and sources of the products say that they send them. */
describe('the configurations that the console shows', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  const values = async () =>
    valuesFor(platform.url, (await createKey(user, { scopes: ['data:write', 'sensors:create'] })).secret);
  const post = async (url: string, headers: Record<string, string>, body: string) =>
    (await fetch(url, { method: 'POST', headers, body })).status;
  const sources = async () =>
    (await user.api.get('/series')).body.series.map(({ source }: { source: string }) => source);

  it('lead Telegraf and other agents here', async () => {
    const text = fillText('influx', await values());
    const [, url] = /urls = \["(.*)"\]/.exec(text) ?? [];
    const [, token] = /token = "(.*)"/.exec(text) ?? [];
    const given = fillSettings('influx', await values());
    for (const [base, secret] of [
      [url, token],
      [given.URL, given.Token],
    ]) {
      const headers = { authorization: `Token ${secret}` };
      assert.equal(await post(`${base}/api/v2/write?org=any&bucket=any`, headers, LINE), 204);
    }
    assert.deepEqual(await sources(), ['influx']);
  });

  it('lead Home Assistant here, which begins with an empty write', async () => {
    const { influxdb } = parse(fillText('home-assistant', await values()));
    const { ssl, host, port, token, organization, bucket, api_version } = influxdb;
    assert.deepEqual([ssl, api_version], [false, 2]);
    const url = `http://${host}:${port}/api/v2/write?org=${organization}&bucket=${bucket}&precision=ns`;
    const headers = { authorization: `Token ${token}` };
    assert.ok([204, 400].includes(await post(url, headers, '')));
    const line = 'sensor.attic,domain=sensor,entity_id=attic value=21.5 1795229544000000000';
    assert.equal(await post(url, headers, line), 204);
    assert.deepEqual(await sources(), ['influx']);
  });

  it('lead ESPHome here', async () => {
    const sensor = await buildSensor(user, { name: 'cellar' });
    const { sensor: sensors } = parse(fillText('esphome', { ...(await values()), sensor }));
    const request = sensors[0].on_value[0]['http_request.post'];
    assert.equal(request.json.trim(), 'root["value"] = x;');
    assert.equal(await post(request.url, request.request_headers, JSON.stringify({ value: 22.6 })), 201);
    const { data } = (await user.api.get(`/sensors/${sensor}/data`)).body;
    assert.deepEqual(
      data.map(({ value }: { value: string }) => value),
      ['22.6'],
    );
  });

  it('lead Tasmota here', async () => {
    const commands = fillText('tasmota', await values())
      .replace('Backlog ', '')
      .trim()
      .split('; ');
    const given = new Map(commands.map((command) => command.split(' ') as [string, string]));
    const url = `${given.get('IfxHost')}:${given.get('IfxPort')}`;
    const query = `org=${given.get('IfxOrg')}&bucket=${given.get('IfxBucket')}`;
    const headers = { authorization: `Token ${given.get('IfxToken')}`, 'content-type': 'text/plain' };
    const lines = 'temperature,device=plug,sensor=am2301 value=21.5\n';
    assert.equal(await post(`${url}/api/v2/write?${query}`, headers, lines), 204);
    assert.deepEqual(await sources(), ['influx']);
  });

  it('lead the webhooks of LoRaWAN servers here', async () => {
    const id = { device_id: 'attic', application_ids: { application_id: 'house' }, dev_eui: '0004A30B001C0530' };
    const uplink = { end_device_ids: id, uplink_message: { f_port: 1, decoded_payload: { temperature: 11.5 } } };
    const event = { deviceInfo: { devEui: '0004a30b001c0531', deviceName: 'cellar' }, object: { temperature: 9 } };
    const ttn = fillSettings('ttn', await values());
    const chirpstack = fillSettings('chirpstack', await values());
    const headersOf = (given: Record<string, string>, name: string) => ({
      'content-type': 'application/json',
      [given[name] ?? '']: given['Value of the header'] ?? '',
    });
    const ttnHeaders = headersOf(ttn, 'Additional header');
    assert.equal(await post(`${ttn['Base URL']}/up`, ttnHeaders, JSON.stringify(uplink)), 200);
    const url = `${chirpstack['Event endpoint URL']}?event=up`;
    assert.equal(await post(url, headersOf(chirpstack, 'Header'), JSON.stringify(event)), 200);
    assert.deepEqual((await sources()).sort(), ['chirpstack', 'ttn']);
  });

  it('lead weather stations here', async () => {
    const ecowitt = fillSettings('ecowitt', await values());
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const report = 'PASSKEY=0123456789ABCDEF&stationtype=GW1000&dateutc=2026-11-26+10:00:00&tempf=70.5';
    assert.equal(await post(`http://${ecowitt.Server}:${ecowitt.Port}${ecowitt.Path}`, form, report), 200);
    const given = fillSettings('wunderground', await values());
    const login = `ID=${given['Station ID']}&PASSWORD=${given['Station key or password']}`;
    const url = `http://${given.Server}:${given.Port}${given.Path}${login}&dateutc=now&tempf=70.5&action=updateraw`;
    assert.equal(await (await fetch(url)).text(), 'success\n');
    assert.deepEqual((await sources()).sort(), ['ecowitt', 'wunderground']);
  });

  it('are accepted by Prometheus', async function () {
    if (spawnSync('promtool', ['--version']).error) this.skip();
    const text = fillText('prometheus', await values());
    assert.equal(parse(text).remote_write[0].url, `${platform.url}/api/v1/write`);
    const folder = await mkdtemp(join(tmpdir(), 'ways-in-'));
    try {
      const file = join(folder, 'prometheus.yml');
      await writeFile(file, text);
      await promisify(execFile)('promtool', ['check', 'config', file], { timeout: 20_000 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
