import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type EventInterest, matchEvents, type WaitingEvent } from '../../../src/domain/event-matching';

const event = (fields: Partial<WaitingEvent> = {}): WaitingEvent => ({
  id: 1,
  name: 'update_sensor',
  sourceId: 7,
  audience: [1],
  ...fields,
});
const interest = (fields: Partial<EventInterest> = {}): EventInterest => ({
  id: 1,
  ownerId: 1,
  event: 'update_sensor',
  sourceId: null,
  priority: 0,
  ...fields,
});
const reached = (events: WaitingEvent[], interests: EventInterest[]) =>
  matchEvents(events, interests).map((match) => [match.event.id, match.interest.id]);

describe('which event notifications an event reaches', () => {
  const cases: [string, Partial<EventInterest>, boolean][] = [
    ['one of that name without a source', {}, true],
    ['one of that name and that source', { sourceId: 7 }, true],
    ['one with another source', { sourceId: 8 }, false],
    ['one for another event', { event: 'add_sensor' }, false],
    ['one of a user who could not see it', { ownerId: 2 }, false],
  ];
  for (const [what, fields, expected] of cases) {
    it(`${expected ? 'reaches' : 'does not reach'} ${what}`, () => {
      assert.equal(matchEvents([event()], [interest(fields)]).length === 1, expected);
    });
  }

  it('does not reach one with a source when the event has none', () => {
    assert.deepEqual(reached([event({ sourceId: null })], [interest({ sourceId: 7 })]), []);
  });

  it('keeps the order of events, and of one event puts the higher priority first', () => {
    const interests = [
      interest({ id: 1, priority: -5 }),
      interest({ id: 2, priority: 9 }),
      interest({ id: 3, ownerId: 2, priority: 10 }),
      interest({ id: 4, priority: 9 }),
    ];
    assert.deepEqual(reached([event({ id: 10, audience: [1, 2] }), event({ id: 11 })], interests), [
      [10, 3],
      [10, 2],
      [10, 4],
      [10, 1],
      [11, 2],
      [11, 4],
      [11, 1],
    ]);
  });

  it('pairs exactly those that fit, each once', () => {
    const small = fc.integer({ min: 1, max: 3 });
    const events = fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b'),
        sourceId: fc.option(small),
        audience: fc.array(small, { maxLength: 4 }),
      }),
      { maxLength: 5 },
    );
    const interests = fc.array(
      fc.record({
        ownerId: small,
        event: fc.constantFrom('a', 'b'),
        sourceId: fc.option(small),
        priority: fc.integer(),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(events, interests, (someEvents, someSubscriptions) => {
        const waiting = someEvents.map((fields, id) => ({ id, ...fields }));
        const listening = someSubscriptions.map((fields, id) => ({ id, ...fields }));
        const expected = waiting.flatMap((e) =>
          listening
            .filter((s) => s.event === e.name && e.audience.includes(s.ownerId))
            .filter((s) => s.sourceId === null || s.sourceId === e.sourceId)
            .map((s) => `${e.id} ${s.id}`),
        );
        const found = reached(waiting, listening).map((pair) => pair.join(' '));
        assert.deepEqual(found.sort(), expected.sort());
      }),
    );
  });
});
