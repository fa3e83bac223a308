/**
 * md5 (RFC 1321) as text for a browser, which has none of its own: passwords travel as their md5. It defines
 * `md5(text)`, the hash of the text's UTF-8 bytes in 32 hexadecimal digits.
 */
export const MD5_SCRIPT = `function md5(text) {
  const bytes = new TextEncoder().encode(text);
  const words = new Uint32Array((((bytes.length + 8) >> 6) + 1) * 16);
  bytes.forEach((byte, i) => { words[i >> 2] |= byte << (i % 4) * 8; });
  words[bytes.length >> 2] |= 0x80 << (bytes.length % 4) * 8;
  words[words.length - 2] = bytes.length * 8;
  const shifts = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i += 1) {
      const round = i >> 4;
      const mix = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round];
      const word = words[block + [i, 5 * i + 1, 3 * i + 5, 7 * i][round] % 16];
      const sum = (a + mix + word + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32)) | 0;
      const shift = shifts[round][i % 4];
      [a, b, c, d] = [d, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0, b, c];
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
  }
  return [...new Uint8Array(state.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
`;
