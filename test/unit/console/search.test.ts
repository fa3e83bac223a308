import assert from 'node:assert/strict';
import fc from 'fast-check';
import { completionsOf } from '../../../console/src/search/complete';
import { findBody, restOf, type Searched, selectorFilter, tagsOf, unknownIn } from '../../../console/src/search/find';
import { followedBy, sharedName, withNamespaces } from '../../../console/src/search/namespaces';
import { readQuery, type Term, tagText, tokensOf, valueText } from '../../../console/src/search/query';
import { readFindFilter } from '../../../src/access/find-filter';

const terms = (text: string) => readQuery(text).terms;
const mistakes = (text: string) => readQuery(text).mistakes.map(({ why, text: part }) => [why, part]);
const tag = (name: string, value: string, not = false): Term => ({ kind: 'tag', name, value, not });
const word = (text: string, not = false): Term => ({ kind: 'word', text, not });

const SENSORS: Searched[] = [
  { name: 'Freezer 1', metatags: { kind: ['freezer'], floor: [2] } },
  { name: 'Freezer 2', device_type: 'DS18B20', metatags: { kind: ['Freezer'], floor: [10] } },
  { name: 'Hall', display_name: 'Great hall', metatags: { kind: ['room temperature', 'hall'], 'a b': [true] } },
  { name: 'Plain' },
];

describe('the search for sensors', () => {
  it('reads metatags, words, states and durations', () => {
    assert.deepEqual(terms('kind:freezer floor:2  attic'), [tag('kind', 'freezer'), tag('floor', '2'), word('attic')]);
    assert.deepEqual(terms('kind:"room temperature" -kind:x -old'), [
      tag('kind', 'room temperature'),
      tag('kind', 'x', true),
      word('old', true),
    ]);
    assert.deepEqual(terms('state:Firing silent:2h silent:30min'), [
      { kind: 'state', state: 'firing' },
      { kind: 'silent', seconds: 7_200 },
      { kind: 'silent', seconds: 1_800 },
    ]);
    assert.deepEqual(terms('floor: url:http://x/y'), [tag('floor', ''), tag('url', 'http://x/y')]);
    assert.deepEqual(terms('"kind:x" "state":open "a b":"1 2'), [
      word('kind:x'),
      tag('state', 'open'),
      tag('a b', '1 2'),
    ]);
    assert.deepEqual(terms(' - "" -"" '), [word('-')]);
  });

  it('compares metatags with numbers, with or without spaces and a colon', () => {
    const compared = (comparison: string, value: string, not = false) => ({
      ...tag('limit', value, not),
      comparison,
    });
    for (const text of ['limit>5', 'limit > 5', 'limit:>5', '"limit" >5']) {
      assert.deepEqual(terms(`a ${text} b`), [word('a'), compared('>', '5'), word('b')], text);
    }
    assert.deepEqual(terms('-limit<=-1.5e3 limit>=.5'), [compared('<=', '-1.5e3', true), compared('>=', '.5')]);
    assert.deepEqual(terms('"limit>5" limit:">5" limit>x'), [word('limit>5'), tag('limit', '>5'), word('limit>x')]);
    assert.deepEqual(findBody(readQuery('floor>2 floor<=10 floor:3 kind:x')).filter.metatag_statement_groups, [
      [{ metatag_name: 'floor', operator: '>', value: 2 }],
      [{ metatag_name: 'floor', operator: '<=', value: 10 }],
      [{ metatag_name: 'floor', operator: 'equal', value: '3' }],
      [{ metatag_name: 'kind', operator: 'equal', value: 'x' }],
    ]);
    const rest = (text: string) => SENSORS.filter(restOf(readQuery(text))).map(({ name }) => name);
    assert.deepEqual(rest('-floor>2'), ['Freezer 1', 'Hall', 'Plain']);
    assert.deepEqual(rest('-floor<=10'), ['Hall', 'Plain']);
    assert.deepEqual(rest('-kind>0 -floor>=10'), ['Freezer 1', 'Hall', 'Plain']);
    const tags = tagsOf(SENSORS);
    assert.deepEqual(unknownIn(readQuery('floor>10'), tags), { name: 'floor', value: '>10' });
    assert.equal(unknownIn(readQuery('floor>2 floor<=2'), tags), undefined);
    assert.deepEqual(completionsOf('floor>2', tags), []);
    assert.ok(selectorFilter(readQuery('floor>2')));
  });

  it('names what it cannot understand, and leaves it out', () => {
    assert.deepEqual(mistakes('state:burning silent:2 -silent:2h silent:99999999w'), [
      ['state', 'state:burning'],
      ['duration', 'silent:2'],
      ['not', '-silent:2h'],
      ['duration', 'silent:99999999w'],
    ]);
    assert.deepEqual(mistakes('state:ok state:firing'), [['states', 'ok, firing']]);
    assert.deepEqual(mistakes('state:ok state:ok'), []);
    assert.deepEqual(terms('silent:x freezer'), [word('freezer')]);
  });

  it('asks the platform for values of one name as alternatives, and for the rest together', () => {
    assert.deepEqual(
      findBody(readQuery('kind:freezer kind:fridge Kind:x floor:2 room: room:x -dry:yes a state:ok silent:1d')),
      {
        filter: {
          metatag_statement_groups: [
            [{ metatag_name: 'kind', operator: 'in', value: ['freezer', 'fridge'] }],
            [{ metatag_name: 'Kind', operator: 'equal', value: 'x' }],
            [{ metatag_name: 'floor', operator: 'equal', value: '2' }],
            [{ metatag_name: 'room', operator: 'is_set' }],
          ],
        },
        state: 'ok',
        silent_for: 86_400,
      },
    );
    assert.deepEqual(findBody(readQuery('silent:1h silent:1d silent:1min')), { filter: {}, silent_for: 86_400 });
    assert.deepEqual(findBody(readQuery('attic')), { filter: {} });
  });

  it('is a selector only if metatags say all of it', () => {
    assert.deepEqual(selectorFilter(readQuery('kind:freezer')), findBody(readQuery('kind:freezer')).filter);
    for (const text of ['', 'attic', '-kind:x', 'kind:x attic', 'kind:x state:ok', 'kind:x silent:2']) {
      assert.equal(selectorFilter(readQuery(text)), undefined, text);
    }
  });

  it('matches words and excluded metatags here', () => {
    const found = (text: string) => SENSORS.filter(restOf(readQuery(text))).map(({ name }) => name);
    assert.deepEqual(found('free'), ['Freezer 1', 'Freezer 2']);
    assert.deepEqual(found('free ds18'), ['Freezer 2']);
    assert.deepEqual(found('GREAT'), ['Hall']);
    assert.deepEqual(found('-kind:freezer'), ['Hall', 'Plain']);
    assert.deepEqual(found('-kind:'), ['Plain']);
    assert.deepEqual(found('-floor:2 -hall -Kind:freezer'), ['Freezer 2', 'Plain']);
  });

  it('counts metatags, and names one that no sensor has', () => {
    const tags = tagsOf(SENSORS);
    assert.deepEqual([...tags.keys()], ['a b', 'floor', 'kind']);
    assert.deepEqual(
      [...(tags.get('floor') ?? [])],
      [
        ['2', 1],
        ['10', 1],
      ],
    );
    assert.deepEqual(unknownIn(readQuery('kind:FREEZER flor:2'), tags)?.name, 'flor');
    assert.deepEqual(unknownIn(readQuery('kind:fridge'), tags)?.value, 'fridge');
    assert.equal(unknownIn(readQuery('kind: floor:2 kind:hall word'), tags), undefined);
  });

  it('completes names and values at the end of the text', () => {
    const tags = tagsOf(SENSORS);
    const results = (text: string) => completionsOf(text, tags).map(({ result }) => result);
    assert.deepEqual(results(''), ['"a b":', 'floor:', 'kind:', 'state:', 'silent:']);
    assert.deepEqual(results('hall ki'), ['hall kind:']);
    assert.deepEqual(results('-fl'), ['-floor:']);
    assert.deepEqual(results('kind:room'), ['kind:"room temperature" ']);
    assert.deepEqual(results('x kind:"room te'), ['x kind:"room temperature" ']);
    assert.deepEqual(results('state:p'), ['state:pending ']);
    assert.deepEqual(results('"a b":'), ['"a b":true ']);
    assert.deepEqual(completionsOf('floor:1', tags), [{ text: '10', result: 'floor:10 ', count: 1 }]);
    assert.deepEqual(
      results('kind:freezer '),
      ['"a b":', 'floor:', 'kind:', 'state:', 'silent:'].map((one) => `kind:freezer ${one}`),
    );
  });
});

describe('the search for metatags of all namespaces', () => {
  const made = (name: string, device: string): Searched => ({
    name,
    other_metatags: { influx: { device: [device], sensor: ['DS18B20'] } },
  });
  const sensors: Searched[] = [
    made('a', 'tasmota_A'),
    made('b', 'tasmota_B'),
    {
      name: 'c',
      metatags: { kind: ['x'] },
      other_metatags: { mqtt: { sensor: ['bme280'] }, influx: { kind: ['y'], floor: [1] } },
    },
    { name: 'd', metatags: { kind: ['y'] }, other_metatags: { influx: { room: ['cold store'], floor: ['2'] } } },
  ];
  const tags = tagsOf(sensors);
  const query = (text: string) => withNamespaces(readQuery(text), tags);
  const found = (text: string) =>
    sensors
      .filter(restOf(query(text)))
      .map(({ name }) => name)
      .join('');

  it('finds them with their namespace, and without if only one has the name', () => {
    assert.equal(found('influx:device:tasmota_a'), 'a');
    assert.equal(found('"influx:device":tasmota_A'), 'a');
    assert.equal(found('device:tasmota_A device:tasmota_B'), 'ab');
    assert.equal(found('device:'), 'ab');
    assert.equal(found('influx:device'), 'ab');
    assert.equal(found('-device:tasmota_A'), 'bcd');
    assert.equal(found('influx:sensor:DS18B20 -device:tasmota_A'), 'b');
    assert.equal(found('influx:floor>1'), 'd');
    assert.equal(found('floor<=1'), 'c');
    assert.equal(found(tagText('influx:room', 'cold store')), 'd');
    assert.deepEqual(findBody(query('device:tasmota_A')), { filter: {} });
    assert.equal(unknownIn(query('device:tasmota_A'), tags), undefined);
    assert.equal(unknownIn(query('device:tasmota_C'), tags)?.value, 'tasmota_C');
  });

  it('prefers the default namespace, and names the namespaces of a name of several', () => {
    assert.deepEqual(findBody(query('kind:y')), findBody(readQuery('kind:y')));
    assert.deepEqual(query('sensor:bme280'), {
      terms: [],
      mistakes: [{ why: 'namespaces', text: 'influx:sensor, mqtt:sensor' }],
    });
  });

  it('names the others where the default namespace has the name as well', () => {
    assert.deepEqual(sharedName(query('c kind:y'), tags), { name: 'kind', others: ['influx:kind'] });
    for (const text of ['influx:kind:y', 'device:tasmota_A', 'kind', '']) {
      assert.equal(sharedName(query(text), tags), undefined, text);
    }
  });

  it('completes names and values', () => {
    const results = (text: string) => completionsOf(text, tags).map(({ result }) => result);
    assert.deepEqual(results('dev'), ['influx:device:']);
    assert.deepEqual(results('influx:dev'), ['influx:device:']);
    assert.deepEqual(results('-influx:device:tas'), ['-influx:device:tasmota_A ', '-influx:device:tasmota_B ']);
    assert.deepEqual(results('device:_b'), ['device:tasmota_B ']);
    assert.deepEqual(results('influx:room:'), ['"influx:room":"cold store" ']);
    assert.deepEqual(results('room:'), ['room:"cold store" ']);
  });

  it('are followed by a trigger in their namespace, if they have one', () => {
    assert.deepEqual(followedBy(query('kind:y'), 'kind:y'), { follow: 'kind:y' });
    assert.deepEqual(followedBy(query('device:tasmota_A influx:sensor:DS18B20'), ''), {
      follow: 'device:tasmota_A sensor:DS18B20',
      namespace: 'influx',
    });
    assert.deepEqual(followedBy(query('floor>1'), ''), { follow: 'floor>1', namespace: 'influx' });
    for (const text of ['kind:y device:tasmota_A', 'device:tasmota_A hall', '-device:x', 'sensor:bme280', '']) {
      assert.equal(followedBy(query(text), text), undefined, text);
    }
  });
});

describe('any search for sensors', () => {
  const names = fc.string({ minLength: 1, maxLength: 12, unit: 'binary-ascii' }).filter((text) => text.trim() !== '');

  it('finds the metatag that it was written for', () => {
    fc.assert(
      fc.property(names, names, fc.boolean(), (name, value, not) => {
        const text = (not ? '-' : '') + tagText(name, value);
        assert.deepEqual(readQuery(`a ${text} b`), {
          terms: [word('a'), tag(name, value, not), word('b')],
          mistakes: [],
        });
      }),
    );
  });

  it('is read without loss: its parts cover everything but spaces', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ':', '-', ' ', 'a', 'é', '2h', 'state', 'silent') }),
        (text) => {
          const rest = tokensOf(text).reduceRight(
            (left, { start, end }) => left.slice(0, start) + left.slice(end),
            text,
          );
          assert.equal(rest.trim(), '');
          const read = readFindFilter(findBody(readQuery(text)).filter, 'filter');
          assert.ok('filter' in read || /more than/.test(read.problem.why));
          for (const { result } of completionsOf(text, tagsOf(SENSORS))) assert.ok(tokensOf(result).length > 0);
        },
      ),
    );
  });

  it('with a completed value finds sensors that have it', () => {
    fc.assert(
      fc.property(names, names, (name, value) => {
        const sensors = [{ name: 'one', metatags: { [name]: [value] } }, { name: 'other' }];
        const [completed] = completionsOf(tagText(name, value), tagsOf(sensors));
        assert.equal(completed?.text, value);
        assert.deepEqual(terms(completed?.result ?? ''), [tag(name, value)]);
        assert.deepEqual(sensors.filter(restOf(readQuery(`-${completed?.result}`))), [{ name: 'other' }]);
        assert.equal(valueText(valueText('plain')), 'plain');
      }),
    );
  });
});
