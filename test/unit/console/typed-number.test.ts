import assert from 'node:assert/strict';
import { readTyped, showTyped } from '../../../console/src/typed-number';

describe('a number that is typed into a form', () => {
  it('has a comma or a point as decimal mark, in every language', () => {
    for (const mark of ['.', ','] as const) {
      assert.equal(readTyped('21,5', mark), '21.5');
      assert.equal(readTyped('21.5', mark), '21.5');
      assert.equal(readTyped(' -0,125 ', mark), '-0.125');
      assert.equal(readTyped('.5', mark), '.5');
      assert.equal(readTyped('1000', mark), '1000');
      assert.equal(readTyped('1e-3', mark), '1e-3');
      assert.equal(readTyped('−3', mark), '-3');
      assert.equal(readTyped('21,', mark), '21');
      assert.equal(readTyped('0.125', mark), '0.125');
      assert.equal(readTyped('1234,567', mark), '1234.567');
    }
  });

  it('is refused if its mark may separate thousands', () => {
    assert.equal(readTyped('1.000', ','), undefined);
    assert.equal(readTyped('1,000', ','), '1.000');
    assert.equal(readTyped('1,000', '.'), undefined);
    assert.equal(readTyped('1.000', '.'), '1.000');
    for (const text of ['1.234,5', '1,234.5', '1.000.000', "1'000", '1 000']) {
      assert.equal(readTyped(text, ','), undefined, text);
      assert.equal(readTyped(text, '.'), undefined, text);
    }
  });

  it('is refused if it is none', () => {
    for (const text of ['', '-', '.', ',', 'e3', '5 °C', '--1', 'NaN', 'Infinity', '0x10']) {
      assert.equal(readTyped(text, ','), undefined, text);
    }
  });

  it('is shown with the decimal mark of the language, and read again unchanged', () => {
    for (const number of ['21.5', '-0.125', '1.125', '1000', '1e-7', '']) {
      for (const mark of ['.', ','] as const) assert.equal(readTyped(showTyped(number, mark), mark) ?? '', number);
    }
    assert.equal(showTyped('21.5', ','), '21,5');
  });
});
