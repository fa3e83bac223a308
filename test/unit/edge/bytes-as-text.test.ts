import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { BrokenText, readText, readTextInLines } from '../../../src/edge/bytes-as-text';
import { assertWithin, leastMs } from '../../support/growth';

const SIZE = 10 * 1024 * 1024;

describe('bytes as text', () => {
  const line = fc.constantFrom('', 'a', 'é', '\xff', 'a\xffb', 'long '.repeat(20)).map((text) => {
    return text.includes('\xff') ? Buffer.from(text, 'latin1') : Buffer.from(text);
  });

  it('has the broken lines that lines have when they are checked one by one', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const bytes = Buffer.concat(lines.flatMap((each, index) => (index === 0 ? [each] : [Buffer.from('\n'), each])));
        const expected = lines.flatMap((each, index) => (isUtf8(each) ? [] : [index + 1]));
        assert.deepEqual([...readTextInLines(bytes, 'utf-8').broken.keys()], expected);
        const [first] = expected;
        if (first === undefined) assert.equal(readText(bytes, 'utf-8'), bytes.toString());
        else assert.throws(() => readText(bytes, 'utf-8'), new RegExp(`is not valid utf-8 in line ${first}$`));
      }),
    );
  });

  it('is refused as a whole for more than 10,000 broken lines', () => {
    const broken = (count: number) => Buffer.from('\xff\n'.repeat(count), 'latin1');
    assert.equal(readTextInLines(broken(10_000), 'utf-8').broken.size, 10_000);
    assert.throws(() => readTextInLines(broken(10_001), 'utf-8'), BrokenText);
  });

  it('is found to be broken in the last of 10 million lines without checking each of them', () => {
    const bytes = Buffer.alloc(SIZE, '\n');
    bytes[SIZE - 1] = 0xff;
    const refused = () => assert.throws(() => readText(bytes, 'utf-8'), /in line 10485760$/);
    const oneByOne = () => {
      for (let at = 0; at < SIZE; at += 1) isUtf8(bytes.subarray(at, at + 1));
    };
    assertWithin(leastMs(oneByOne, 1) / 2, refused);
  });

  it('has all characters of windows-1252', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    assert.equal(readText(bytes, 'iso-8859-1'), new TextDecoder('windows-1252').decode(bytes));
    assert.equal(readText(Buffer.from('plain'), 'latin1'), 'plain');
  });
});
