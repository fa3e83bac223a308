import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readNumber } from '../../../src/language/sensor-value';
import { buildGroup, buildSensor, share } from '../../support/factories';
import { shareWithGroup } from '../../support/groups';
import { usePlatform, useUser } from '../../support/hooks';

type Value = string | number | boolean;
interface Thing {
  id: string;
  owner: 'me' | 'shared' | 'hidden';
  isInGroup: boolean;
  fields: Record<string, Value>;
  tags: Record<string, Value[]>;
}
type Comparison = '<' | '<=' | '>' | '>=';
interface Statement {
  name: string;
  operator: 'equal' | 'in' | 'is_set' | Comparison;
  value: Value;
}
interface Search {
  metatags: Statement[][];
  properties: Statement[][];
  owner: 'me' | 'shared' | 'all';
  page: number;
}

const PER_PAGE = 4;
const VALUES: Value[] = ['a', 'A', 'b', 1, '1', 1.5, true, 'TRUE', 'é', 'e', 'É', 'a ', 'İ', 'ΟΔΟΣ', 'ß', '%', '_'];
const NUMBERS: Value[] = [0, -3, 2.5e-7, 1e21, '1E3', ' +1.50\t', '\u00a0-.5\u3000', '7.', '1e308', '-1e308'];
const NO_NUMBERS: Value[] = ['', ' ', '1e999', '-1e999', '0x10', '1 2', '5 kW', '1,5', '١', 'Infinity', '1e', '.'];
const STORED = [...VALUES, ...NUMBERS, ...NO_NUMBERS];
const NAMES = ['a', 'A', 'é', 'e', 'É', 'İ', 'ΟΔΟΣ', '%', "it's", 'b\\', '🙂'];
const tagName = fc.constantFrom('x', 'X', 'y', 'constructor');
const tags = fc.dictionary(tagName, fc.array(fc.constantFrom(...STORED), { maxLength: 3 }), { noNullPrototype: true });
const fields = fc.record({
  name: fc.constantFrom(...NAMES),
  display_name: fc.constantFrom('', ...NAMES),
  device_type: fc.constantFrom('', 'Lamp', 'lamp', 'scale'),
  use_data_storage: fc.boolean(),
});

function statements(name: fc.Arbitrary<string>, values: readonly Value[]): fc.Arbitrary<Statement[][]> {
  const some = fc.constantFrom(...values);
  const listed = fc.array(some, { minLength: 1, maxLength: 4 }).map((all) => all.join(', '));
  const statement = fc.oneof(
    fc.record({ name, operator: fc.constant('equal' as const), value: some }),
    fc.record({ name, operator: fc.constant('in' as const), value: listed }),
    fc.record({ name, operator: fc.constant('is_set' as const), value: fc.constant('ignored') }),
  );
  return fc.array(fc.array(statement, { maxLength: 3 }), { maxLength: 3 });
}

const comparison = fc.record({
  name: tagName,
  operator: fc.constantFrom<Comparison>('<', '<=', '>', '>='),
  value: fc.constantFrom<Value>(...NUMBERS, 1, '1', 1.5, 0.1, 1e-300),
});
/** With comparisons among the statements of some lists. */
const tagSearches = fc
  .tuple(statements(tagName, VALUES), fc.array(fc.tuple(fc.nat({ max: 2 }), comparison), { maxLength: 3 }))
  .map(([lists, added]) => {
    const all: Statement[][] = lists.map((list) => [...list]);
    for (const [at, one] of added) (all[at] ?? all[all.push([]) - 1])?.push(one);
    return all;
  });

const searches: fc.Arbitrary<Search> = fc.record({
  metatags: tagSearches,
  properties: fc.oneof(
    fc.constant<Statement[][]>([]),
    statements(fc.constantFrom('name', 'display_name', 'device_type'), [...NAMES, 'LAMP', 'Scale']),
    statements(fc.constant('use_data_storage'), [true, false, 1, 0, '1', 'x']),
    statements(fc.constant('type'), [0, '0', 1, '00', 'x']),
  ),
  owner: fc.constantFrom('me', 'shared', 'all'),
  page: fc.nat({ max: 2 }),
});

describe('finding sensors, compared with a search in memory', () => {
  const platform = usePlatform();
  const owner = useUser(platform);
  let group: string;
  const things: Thing[] = [];

  before(async () => {
    const friend = await platform.user();
    group = await buildGroup(owner, { name: 'all', public: 1 });
    await friend.api.post(`/groups/${group}/users`, { users: [{ user: { id: friend.id } }] });
    const kinds = fc.record({ owner: fc.constantFrom('me', 'me', 'shared', 'hidden'), isInGroup: fc.boolean() });
    for (const [kind, given, own] of fc.sample(fc.tuple(kinds, fields, tags), { numRuns: 40, seed: 7 })) {
      const user = kind.owner === 'me' ? owner : friend;
      const id = await buildSensor(user, given);
      assert.equal((await user.api.put(`/sensors/${id}/metatags`, { metatags: own })).status, 200);
      if (kind.owner === 'shared') await share(user, id, owner);
      if (kind.isInGroup) await shareWithGroup(user, group, id);
      things.push({ id, ...kind, fields: { ...given, type: 0 }, tags: own });
    }
  });

  const find = async (path: string, { metatags, properties, owner: sensor_owner, page }: Search) => {
    const filter = {
      metatag_statement_groups: metatags.map((list) =>
        list.map(({ name, ...rest }) => ({ metatag_name: name, ...rest })),
      ),
      sensor_statement_groups: properties.map((list) =>
        list.map(({ name, ...rest }) => ({ sensor_property: name, ...rest })),
      ),
    };
    const query = `details=no&sensor_owner=${sensor_owner}&page=${page}&per_page=${PER_PAGE}&total=1`;
    const { status, body } = await owner.api.post(`${path}?${query}`, { filter });
    assert.equal(status, 200, JSON.stringify(body));
    return { ids: body.sensors.map(({ id }: { id: string }) => id), total: body.total };
  };

  const expectedOf = (search: Search, isInScope: (thing: Thing) => boolean) => {
    const found = things.filter((thing) => isInScope(thing) && matches(thing, search)).map(({ id }) => id);
    const start = search.page * PER_PAGE;
    return { ids: found.slice(start, start + PER_PAGE), total: found.length };
  };

  it("finds the same among the user's own sensors, shared ones, and both", async () => {
    const isVisible = (thing: Thing) => thing.owner !== 'hidden' || thing.isInGroup;
    const isOf = (thing: Thing, wanted: Search['owner']) =>
      wanted === 'all' || (wanted === 'me') === (thing.owner === 'me');
    await fc.assert(
      fc.asyncProperty(searches, async (search) => {
        const expected = expectedOf(search, (thing) => isVisible(thing) && isOf(thing, search.owner));
        assert.deepEqual(await find('/sensors/find', search), expected);
      }),
      { numRuns: 120 },
    );
  });

  it('finds the same among the sensors of a group', async () => {
    await fc.assert(
      fc.asyncProperty(searches, async (search) => {
        const expected = expectedOf(search, (thing) => thing.isInGroup);
        assert.deepEqual(await find(`/groups/${group}/sensors/find`, search), expected);
      }),
      { numRuns: 40 },
    );
  });
});

function matches({ fields: own, tags: labels }: Thing, { metatags, properties }: Search): boolean {
  const holds = (list: Statement[], valuesOf: (name: string) => Value[]) =>
    list.length === 0 || list.some((statement) => valuesOf(statement.name).some((value) => agrees(value, statement)));
  const ofTag = (name: string) => (Object.hasOwn(labels, name) ? (labels[name] ?? []) : []);
  const ofField = (name: string) => [own[name] ?? ''].filter((value) => value !== '');
  return metatags.every((list) => holds(list, ofTag)) && properties.every((list) => holds(list, ofField));
}

function agrees(value: Value, { name, operator, value: wanted }: Statement): boolean {
  if (operator === 'is_set') return true;
  if (operator !== 'equal' && operator !== 'in') {
    const number = typeof value === 'boolean' ? null : readNumber(String(value));
    return number !== null && compares(number, operator, Number(wanted));
  }
  const items = operator === 'in' ? String(wanted).split(',') : [wanted];
  const keys = items.map((item) => (operator === 'in' ? String(item).trim() : String(item)).toLowerCase());
  if (name === 'use_data_storage') return keys.some((key) => (value ? /^(1|true)$/ : /^(0|false)$/).test(key));
  if (name === 'type') return keys.some((key) => /^\d+$/.test(key) && Number(key) === value);
  return keys.includes(String(value).toLowerCase());
}

function compares(number: number, operator: Comparison, limit: number): boolean {
  if (operator.length === 2 && number === limit) return true;
  return operator.startsWith('<') ? number < limit : number > limit;
}
