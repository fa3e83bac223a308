import assert from 'node:assert/strict';
import { networkOf } from '../../../src/platform/network-of';

describe('the network of an address', () => {
  it('is an IPv4 address itself, also as IPv6 writes it, and of IPv6 the first 64 bits', () => {
    assert.equal(networkOf('198.51.100.7'), '198.51.100.7');
    assert.equal(networkOf('::ffff:198.51.100.7'), '198.51.100.7');
    assert.equal(networkOf('2001:db8:1:2:3::4'), '2001:db8:1:2::');
  });

  it('is the same with a port behind it, as some proxies write it', () => {
    assert.equal(networkOf('198.51.100.7:50123'), '198.51.100.7');
    assert.equal(networkOf('[2001:db8:1:2:3::4]:50123'), '2001:db8:1:2::');
  });

  it('is the text where that is no address', () => {
    assert.equal(networkOf('unknown'), 'unknown');
  });
});
