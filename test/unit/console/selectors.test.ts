import assert from 'node:assert/strict';
import { type Searched, tagsOf } from '../../../console/src/search/find';
import { selectorOf, withNamespaces } from '../../../console/src/search/namespaces';
import { readQuery } from '../../../console/src/search/query';
import { searchOf } from '../../../console/src/search/selectors';

const SENSORS: Searched[] = [
  {
    name: 'a',
    metatags: { kind: ['freezer', 'cold room'], floor: [2], 'a b': ['x'] },
    other_metatags: { influx: { host: ['h1'] } },
  },
];
const TAGS = tagsOf(SENSORS);
const selected = (text: string) => selectorOf(withNamespaces(readQuery(text), TAGS), text);
const statement = (metatag_name: string, operator: string, value?: unknown) => ({
  ...{ metatag_name, operator },
  ...(value !== undefined && { value }),
});
const inDefault = (...groups: object[][]) => ({
  filter: { metatag_statement_groups: groups as never },
  namespace: 'default',
});

describe('the search of a tile', () => {
  it('is a selector, and the same search again', () => {
    const texts = [
      '',
      'kind:freezer',
      'kind:freezer floor:2',
      'kind:"cold room"',
      'kind:""',
      'kind:freezer kind:oven',
      '"a b":x',
      'floor>1 kind:freezer floor<=2.5',
      '"a b">=-3',
    ];
    for (const text of texts) {
      const selector = selected(text);
      assert.ok(selector, text);
      assert.equal(searchOf(selector), text);
    }
    assert.deepEqual(selected('kind:freezer kind:oven'), inDefault([statement('kind', 'in', ['freezer', 'oven'])]));
    assert.deepEqual(selected(' '), { filter: {}, all: true, namespace: 'default' });
  });

  it('finds the metatags of one other namespace', () => {
    const selector = selected('host:h1');
    assert.equal(selector?.namespace, 'influx');
    const text = searchOf(selector) ?? assert.fail('it can be searched for');
    assert.deepEqual(selected(text), selector);
  });

  it('is nothing if a selector cannot say it', () => {
    for (const text of [
      'attic',
      '-kind:freezer',
      'state:firing',
      'silent:2h',
      'kind:freezer influx:host:h1',
      'state:x',
    ]) {
      assert.equal(selected(text), undefined, text);
    }
  });

  it('has no text for conditions that a search cannot have', () => {
    const equal = statement('kind', 'equal', 'freezer');
    for (const selector of [
      inDefault([equal, statement('floor', 'is_set')]),
      inDefault([equal], [statement('kind', 'equal', 'cold')]),
      {
        filter: { sensor_statement_groups: [[{ sensor_property: 'name', operator: 'is_set' }]] },
        namespace: 'default',
      },
    ]) {
      assert.equal(searchOf(selector), undefined, JSON.stringify(selector));
    }
    assert.equal(searchOf(inDefault([statement('kind', 'in', 'freezer, oven')])), 'kind:freezer kind:oven');
    assert.equal(searchOf(inDefault([statement('floor', 'equal', 2)])), 'floor:2');
    assert.equal(searchOf(null), '');
  });
});
