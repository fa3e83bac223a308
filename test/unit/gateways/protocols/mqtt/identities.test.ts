import assert from 'node:assert/strict';
import type { DecoderName } from '../../../../../src/gateways/mqtt/decoder-names';
import { openDecoder } from '../../../../../src/gateways/protocols/mqtt';

const [ADDRESS, OTHER] = ['0x00158d0001e7b10d', '0x00158d0002aaaaaa'];
const MAC = '5CCF7FD5E1AB';

function opened(name: DecoderName) {
  const decoder = openDecoder(name);
  const decode = (topic: string, payload: unknown) =>
    decoder.decode({ topic, payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)) });
  return { decoder, decode, namesOf: (topic: string, payload: unknown) => decode(topic, payload).points.map(nameIn) };
}

const nameIn = ({ series }: { series: { name: string; title: string } }) => `${series.name} (${series.title})`;
const device = (ieee_address: string, friendly_name: string) => ({ ieee_address, friendly_name, type: 'EndDevice' });

describe('the identity of a device', () => {
  describe('of Zigbee2MQTT', () => {
    const LIST = 'zigbee2mqtt/bridge/devices';

    it('is its address, by its present and former names, and after a restart', () => {
      const { decode, namesOf } = opened('zigbee2mqtt');
      assert.deepEqual(namesOf('zigbee2mqtt/a/b', { t: 1 }), ['zigbee2mqtt/a/b (a/b)']);
      const first = decode(LIST, [device(ADDRESS, 'a/b')]);
      const to = `zigbee2mqtt:${ADDRESS}`;
      const leads = ['zigbee2mqtt/a/b', `zigbee2mqtt/${ADDRESS}`].map((from) => ({ from, to }));
      assert.deepEqual(first.leads, leads);
      assert.deepEqual(namesOf('zigbee2mqtt/a/b', { t: 1 }), [`${to} (a/b)`]);
      assert.deepEqual(namesOf('zigbee2mqtt/a/b/temperature', '21'), [`${to}/temperature (a/b/temperature)`]);
      const second = decode(LIST, [device(ADDRESS, 'Cellar leak')]);
      assert.deepEqual(namesOf('zigbee2mqtt/Cellar leak', { t: 1 }), [`${to} (Cellar leak)`]);
      assert.deepEqual(namesOf('zigbee2mqtt/a/b', { t: 1 }), [`${to} (a/b)`], 'what comes late');
      const again = opened('zigbee2mqtt');
      again.decoder.restore([...(first.described ?? []), ...(second.described ?? [])]);
      assert.deepEqual(again.namesOf('zigbee2mqtt/Cellar leak', { t: 1 }), [`${to} (Cellar leak)`]);
      assert.deepEqual(again.decode(LIST, [device(ADDRESS, 'Cellar leak')]), { points: [] }, 'nothing new');
    });

    it('leads nothing from a topic that had another device', () => {
      const { decode, namesOf } = opened('zigbee2mqtt');
      decode(LIST, [device(ADDRESS, 'a'), device(OTHER, 'b')]);
      assert.equal(decode(LIST, [device(ADDRESS, 'b'), device(OTHER, 'a')]).leads, undefined);
      assert.deepEqual(namesOf('zigbee2mqtt/a', { t: 1 }), [`zigbee2mqtt:${OTHER} (a)`]);
      assert.deepEqual(namesOf('zigbee2mqtt/b', { t: 1 }), [`zigbee2mqtt:${ADDRESS} (b)`]);
    });

    it('is kept while the list lacks it, and may be in the message', () => {
      const { decode, namesOf } = opened('zigbee2mqtt');
      decode(LIST, [device(ADDRESS, 'a')]);
      decode(LIST, []);
      assert.deepEqual(namesOf('zigbee2mqtt/a', { t: 1 }), [`zigbee2mqtt:${ADDRESS} (a)`]);
      assert.deepEqual(namesOf('zigbee2mqtt/a', { t: 1, device: { ieeeAddr: OTHER } }), [`zigbee2mqtt:${OTHER} (a)`]);
      const hostile = { t: 1, device: { ieeeAddr: `0x${'f'.repeat(5_000)}` } };
      assert.deepEqual(namesOf('zigbee2mqtt/b', hostile), ['zigbee2mqtt/b (b)']);
    });
  });

  describe('of Tasmota', () => {
    const config = (fields: object) => ({ mac: MAC, dn: 'Tasmota', t: 'plug', ft: '%prefix%/%topic%/', ...fields });

    it('is its MAC address, whatever its topic and its name are', () => {
      const { decoder, decode, namesOf } = opened('tasmota');
      assert.deepEqual(decoder.describing(['tele/#']), ['tasmota/discovery/+/config']);
      const { leads } = decode(`tasmota/discovery/${MAC}/config`, config({ tp: ['cmnd', 'stat', 'tele'] }));
      assert.deepEqual(leads?.[0], { from: 'tele/plug', to: `tasmota:${MAC}` });
      assert.deepEqual(namesOf('tele/plug/SENSOR', { A: 1 }), [`tasmota:${MAC}/SENSOR (plug)`]);
      assert.deepEqual(namesOf('stat/plug/STATUS10', { StatusSNS: { A: 1 } }), [`tasmota:${MAC}/SENSOR (plug)`]);
      decode(`tasmota/discovery/${MAC}/config`, config({ t: 'x', dn: 'Washer', ft: 'home/%topic%/%prefix%/' }));
      assert.deepEqual(namesOf('home/x/tele/STATE', { A: 1 }), [`tasmota:${MAC}/STATE (Washer state)`]);
      decode(`tasmota/discovery/${MAC}/config`, '');
      assert.deepEqual(namesOf('home/x/tele/STATE', { A: 1 }), [`tasmota:${MAC}/STATE (Washer state)`]);
    });

    it('is left out of configurations that do not name it', () => {
      const { decode } = opened('tasmota');
      for (const bad of [{ mac: 'x' }, { mac: 5 }, { t: undefined }, { t: 'x'.repeat(5_000) }]) {
        assert.deepEqual(decode('tasmota/discovery/a/config', config(bad)), { points: [] });
      }
    });
  });

  describe('of Shelly', () => {
    const src = 'shellyplus1pm-a8032ab12345';
    const frame = (id = src) => ({ src: id, method: 'NotifyStatus', params: { 'switch:0': { id: 0, output: true } } });

    it('is its id, whatever its prefix of topics is', () => {
      const { decode, namesOf } = opened('shelly');
      assert.deepEqual(namesOf(`${src}/events/rpc`, frame()), [`${src}/status/switch:0 (${src} switch:0)`]);
      const { leads } = decode('kitchen/events/rpc', frame());
      const to = `shelly:${src}`;
      assert.deepEqual(leads, [
        { from: 'kitchen/status', to },
        { from: `${src}/status`, to },
      ]);
      assert.deepEqual(namesOf('kitchen/status/switch:0', { id: 0, output: true }), [
        `${to}/switch:0 (kitchen switch:0)`,
      ]);
      assert.deepEqual(namesOf(`${src}/status/switch:0`, { id: 0, output: true }), [
        `${to}/switch:0 (${src} switch:0)`,
      ]);
      assert.deepEqual(namesOf('hall/events/rpc', frame('someone')), ['hall/status/switch:0 (hall switch:0)']);
    });

    it('is the MAC address of the first generation', () => {
      const { decode, namesOf } = opened('shelly');
      assert.deepEqual(namesOf('shellies/boiler/relay/0', 'on'), ['shellies/boiler/relay/0 (boiler relay 0)']);
      const { leads } = decode('shellies/announce', { id: 'boiler', mac: MAC, model: 'SHSW-1' });
      assert.deepEqual(leads, [{ from: 'shellies/boiler', to: `shelly:${MAC}` }]);
      assert.deepEqual(namesOf('shellies/boiler/relay/0', 'on'), [`shelly:${MAC}/relay/0 (boiler relay 0)`]);
      decode('shellies/boiler/announce', { id: 'cellar', mac: MAC });
      assert.deepEqual(namesOf('shellies/cellar/relay/0', 'on'), [`shelly:${MAC}/relay/0 (cellar relay 0)`]);
    });
  });

  it('of devices that messages name are at most 1,000, and the others are named', () => {
    const { decode, namesOf } = opened('shelly');
    const notes = Array.from({ length: 1_001 }, (_, index) => {
      return decode('shellies/announce', { id: `d${index}`, mac: MAC }).note;
    });
    assert.deepEqual(notes.slice(0, 1_000), Array(1_000).fill(undefined));
    assert.match(notes[1_000] ?? '', /left out: more than 1000 are known/);
    assert.deepEqual(namesOf('shellies/d1000/relay/0', 'on'), ['shellies/d1000/relay/0 (d1000 relay 0)']);
    const zigbee = opened('zigbee2mqtt');
    const many = Array.from({ length: 1_002 }, (_, index) => device(`0x${index}`, `d${index}`));
    assert.match(zigbee.decode('zigbee2mqtt/bridge/devices', many).note ?? '', /^2 devices are left out/);
  });
});
