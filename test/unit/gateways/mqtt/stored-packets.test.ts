import assert from 'node:assert/strict';
import { backOff } from '../../../../src/gateways/mqtt/back-off';
import { hashOf, StoredPackets } from '../../../../src/gateways/mqtt/stored-packets';

const packet = (packetId: number, text = `message ${packetId}`) => ({
  packetId,
  hash: hashOf({ topic: 't', payload: Buffer.from(text) }),
});

describe('stored packets', () => {
  it('are recognized on the next connection, by identifier and content', () => {
    const first = StoredPackets.fromText(null);
    first.onAcknowledged([packet(1), packet(65_535)]);
    const next = StoredPackets.fromText(first.toText([packet(3)]));
    for (const id of [1, 65_535, 3]) assert.ok(next.includes(packet(id), true), String(id));
    assert.ok(!next.includes(packet(2), true));
    assert.ok(!first.includes(packet(1), true), 'on the same connection the broker reuses identifiers');
    next.forgetEarlier();
    assert.ok(!next.includes(packet(1), true));
    assert.equal(next.toText([]), '');
  });

  it('are kept while the broker sends new messages between repeated ones', () => {
    const next = StoredPackets.fromText(StoredPackets.fromText(null).toText([1, 2, 3, 4].map((id) => packet(id))));
    assert.ok(!next.includes(packet(5), false));
    next.onAcknowledged([packet(5)]);
    assert.ok(next.includes(packet(2), true));
    assert.ok(!next.includes(packet(1), false), 'its identifier is used again');
    assert.ok(!next.includes(packet(1), true));
    assert.ok(!next.includes(packet(3, 'other'), true), 'its identifier is used again');
    next.onAcknowledged([packet(1), packet(2), packet(3, 'other')]);
    next.onConfirmed(4);
    const later = StoredPackets.fromText(next.toText([]));
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((id) => later.includes(packet(id), true)),
      [false, false, false, true, false],
    );
  });

  it('are forgotten once the broker has their acknowledgements', () => {
    const packets = StoredPackets.fromText(null);
    packets.onAcknowledged([packet(1), packet(2), packet(3)]);
    packets.onConfirmed(2);
    packets.onConfirmed(1);
    assert.equal(packets.open, 1);
    packets.onAcknowledged([packet(4)]);
    const next = StoredPackets.fromText(packets.toText([]));
    assert.deepEqual(
      [1, 2, 3, 4].map((id) => next.includes(packet(id), true)),
      [false, false, true, true],
    );
    packets.onAcknowledged(Array.from({ length: 6_000 }, (_, id) => packet(id)));
    assert.equal(packets.open, 5_000);
    packets.onConfirmed(6_003);
    assert.equal(packets.open, 1);
    const few = StoredPackets.fromText(null, 2);
    few.onAcknowledged([packet(1), packet(2), packet(3)]);
    assert.deepEqual(
      [1, 2, 3].map((id) => StoredPackets.fromText(few.toText([])).includes(packet(id), true)),
      [false, true, true],
    );
  });
});

describe('the back-off', () => {
  it('doubles up to the longest pause, shortened by up to a half', () => {
    const pauses = { firstMs: 1_000, longestMs: 300_000 };
    assert.deepEqual(
      [0, 1, 5, 9, 1_000].map((failures) => backOff(failures, pauses, 1)),
      [1e3, 2e3, 32e3, 3e5, 3e5],
    );
    assert.equal(backOff(1, pauses, 0), 1_000);
  });
});
