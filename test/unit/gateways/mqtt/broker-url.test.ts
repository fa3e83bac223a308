import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { openPassword, sealPassword } from '../../../../src/gateways/mqtt/broker-password';
import { readBroker, receiverOfBroker, whyNoBroker } from '../../../../src/gateways/mqtt/broker-url';
import { SecretBox } from '../../../../src/platform/secret-box';

describe('the URL of a broker', () => {
  it('names a host, a port and a way', () => {
    const cases: [string, string, number, boolean][] = [
      ['mqtt://Broker.example', 'broker.example', 1883, false],
      ['mqtts://broker.example:443/', 'broker.example', 443, true],
      ['MQTT://broker.example:80', 'broker.example', 80, false],
      ['ws://broker.example/mqtt?x=1', 'broker.example', 80, false],
      ['wss://broker.example', 'broker.example', 443, true],
      ['mqtt://0x7f.1', '127.0.0.1', 1883, false],
      ['mqtt://2130706433', '127.0.0.1', 1883, false],
      ['mqtt://[::FFFF:127.0.0.1]:1', '[::ffff:7f00:1]', 1, false],
      ['mqtt://über.example', 'xn--ber-goa.example', 1883, false],
    ];
    for (const [url, host, port, isTls] of cases) {
      assert.equal(whyNoBroker(url), null, url);
      const read = readBroker(url);
      assert.deepEqual([read.host, read.port, read.isTls], [host, port, isTls], url);
    }
    assert.equal(readBroker('ws://b.example/mqtt').webSocket, 'ws://b.example/mqtt');
    for (const url of [
      '',
      'b',
      '//b',
      'http://b',
      'mqtt:b',
      'mqtt://',
      'mqtt://:1',
      'mqtt://u:p@b',
      'mqtt://b/x',
      'mqtt://b:70000',
    ]) {
      assert.notEqual(whyNoBroker(url), null, url);
    }
  });

  it('binds the password', () => {
    const key = randomBytes(32);
    const box = new SecretBox(() => key);
    const bound = { ownerId: 7, url: 'mqtts://broker.example' };
    const sealed = sealPassword(box, 'secret', bound);
    assert.equal(openPassword(box, sealed, { ownerId: 7, url: 'mqtts://BROKER.example:8883' }), 'secret');
    for (const other of [
      { ...bound, ownerId: 8 },
      ...['mqtts://broker.example.org', 'mqtt://broker.example:8883', 'mqtts://broker.example:8884'].map((url) => ({
        ...bound,
        url,
      })),
    ]) {
      assert.throws(() => openPassword(box, sealed, other), /cannot be decrypted/);
      assert.notEqual(receiverOfBroker(other.url) + other.ownerId, receiverOfBroker(bound.url) + bound.ownerId);
    }
  });
});
