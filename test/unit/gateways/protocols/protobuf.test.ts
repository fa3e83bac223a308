import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ProtobufReader } from '../../../../src/gateways/protocols/protobuf';
import { UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';
import { field, varint } from '../../../support/remote-write-bytes';

describe('a reader of protobuf', () => {
  it('reads signed integers of 64 bits, and rounds the long ones', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        assert.equal(new ProtobufReader(varint(value)).varint(), Number(value));
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        assert.equal(new ProtobufReader(varint(value)).varint(), value);
      }),
    );
  });

  it('does not read beyond the end of an inner message', () => {
    const bytes = Buffer.concat([field(1, Buffer.from([0x0a, 3])), Buffer.from('abc')]);
    const reader = new ProtobufReader(bytes);
    assert.equal(reader.tag(), 0x0a);
    const inner = reader.message();
    assert.equal(inner.tag(), 0x0a);
    assert.throws(() => inner.text(), UnreadableMessage);
    assert.equal(reader.isAtEnd, false);
  });

  it('reads an array that is a part of another', () => {
    const bytes = new Uint8Array([9, 9, 3, 97, 98, 99]).subarray(2);
    assert.equal(new ProtobufReader(bytes).text(), 'abc');
  });
});
