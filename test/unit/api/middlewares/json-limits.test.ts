import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkJsonLimits, MAX_DEPTH, MAX_TOKENS_OF_ONE } from '../../../../src/api/middlewares/json-limits';
import { finish } from '../../../../src/platform/steps';

const check = (text: string) => finish(checkJsonLimits(Buffer.from(text)));

describe('the limits of a JSON body', () => {
  it('accept everything that is neither too deep nor too long', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => check(JSON.stringify(value))));
    check(`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`);
    check(JSON.stringify(Array.from({ length: MAX_TOKENS_OF_ONE }, () => 0)));
  });

  it('ignore the content of strings, including escaped quotes', () => {
    check(JSON.stringify(['[{'.repeat(500_000), `"${','.repeat(500_000)}`, '\\'.repeat(9)]));
  });

  it('name the exceeded limit', () => {
    assert.throws(() => check('['.repeat(MAX_DEPTH + 1)), /nested more than 100 deep/);
    assert.throws(
      () => check(`[${'0,'.repeat(MAX_TOKENS_OF_ONE + 1)}0]`),
      /a list or object of more than 100000 parts/,
    );
    const inner = `[${'0,'.repeat(90_000)}0]`;
    assert.throws(() => check(`[${Array.from({ length: 12 }, () => inner).join()}]`), /more than 1000000 values/);
  });

  it('continue the count of a list after an inner one', () => {
    const part = `${'0,'.repeat(60_000)}`;
    assert.throws(() => check(`[${part}[1],${part}0]`), /parts/);
  });

  it('accept text that is not JSON', () => {
    check(']]]}}}');
    check('"open');
    check('a=1&b=2');
  });
});
