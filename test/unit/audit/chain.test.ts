import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AuditEntry, type AuditRecord, type Head, hashOf, NO_HEAD } from '../../../src/audit/chain/record';
import { type BrokenRecord, ChainCheck, type KeptHead } from '../../../src/audit/chain/verification';

/** The records that follow a head, as MySQL makes them. */
function follow(chain: string, head: Head, entries: readonly AuditEntry[], nowMs: number): AuditRecord[] {
  const dateMs = Math.max(nowMs, head.dateMs);
  let previous = head.hash;
  return entries.map((one, index) => {
    const record = { ...one, chain, sequence: head.sequence + 1 + index, dateMs, previous };
    const hash = hashOf(record);
    previous = hash;
    return { ...record, hash };
  });
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const entry: fc.Arbitrary<AuditEntry> = fc.record({
  who: fc.option(fc.nat()),
  byKind: fc.constantFrom('session', 'key', 'application', 'operator', 'visitor'),
  byId: fc.option(fc.nat()),
  byName: fc.option(text),
  ruleSet: fc.option(text),
  address: fc.option(text),
  action: text,
  refused: fc.option(fc.constantFrom(401, 403, 404)),
  times: fc.integer({ min: 1, max: 9 }),
  subjectKind: fc.option(text),
  subjectId: fc.option(fc.nat()),
  subjectName: fc.option(text),
  changed: fc.json(),
});

interface Kept {
  records: AuditRecord[];
  head: Head;
}

/** Transactions of entries; the oldest records may be past their retention. */
const chain: fc.Arbitrary<Kept> = fc
  .record({
    transactions: fc.array(fc.tuple(fc.array(entry, { minLength: 1, maxLength: 4 }), fc.nat(10_000)), {
      minLength: 1,
      maxLength: 8,
    }),
    removed: fc.nat(6),
  })
  .map(({ transactions, removed }) => {
    let head = NO_HEAD;
    const records: AuditRecord[] = [];
    for (const [entries, nowMs] of transactions) {
      const added = follow('account:7', head, entries, nowMs);
      records.push(...added);
      const last = added.at(-1);
      if (last) head = { ...head, sequence: last.sequence, dateMs: last.dateMs, hash: last.hash };
    }
    const gone = Math.min(removed, records.length - 1);
    return { records: records.slice(gone), head: { ...head, firstKept: gone + 1 } };
  });

function check({ records, head }: Kept, pageSize = 3, kept?: KeptHead): BrokenRecord | undefined {
  const found = new ChainCheck(head, kept);
  for (let from = 0; from < records.length; from += pageSize) found.add(records.slice(from, from + pageSize));
  return found.end();
}

const FIELDS = ['who', 'byId', 'byName', 'ruleSet', 'address', 'action', 'refused', 'times', 'changed'] as const;

describe('the chain of an account', () => {
  it('is whole, in pages of any size, also without its oldest records', () => {
    fc.assert(
      fc.property(chain, fc.integer({ min: 1, max: 9 }), (kept, size) => {
        assert.equal(check(kept, size), undefined);
      }),
    );
  });

  it('has dates that never go back', () => {
    fc.assert(
      fc.property(chain, ({ records }) => {
        const dates = records.map(({ dateMs }) => dateMs);
        assert.deepEqual(
          dates,
          [...dates].sort((a, b) => a - b),
        );
      }),
    );
  });

  it('shows a record that was changed in any field', () => {
    const at = fc.nat();
    fc.assert(
      fc.property(chain, at, fc.constantFrom(...FIELDS), (kept, index, field) => {
        const place = index % kept.records.length;
        const records = kept.records.map((record, one) =>
          one === place
            ? { ...record, [field]: typeof record[field] === 'number' ? record[field] + 1 : 'x y z' }
            : record,
        );
        assert.deepEqual(check({ ...kept, records }), { sequence: records[place]?.sequence, problem: 'changed' });
      }),
    );
  });

  it('shows a record that is missing', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (kept, index) => {
        const place = index % kept.records.length;
        const records = kept.records.filter((_, one) => one !== place);
        assert.deepEqual(check({ ...kept, records }), { sequence: kept.records[place]?.sequence, problem: 'missing' });
      }),
    );
  });

  it('shows two records that changed places', () => {
    fc.assert(
      fc.property(chain, fc.nat(), (kept, index) => {
        fc.pre(kept.records.length > 1);
        const place = index % (kept.records.length - 1);
        const records = [...kept.records];
        const [a, b] = [records[place], records[place + 1]];
        assert.ok(a && b);
        records.splice(place, 2, { ...b, sequence: a.sequence }, { ...a, sequence: b.sequence });
        assert.equal(check({ ...kept, records })?.sequence, a.sequence);
      }),
    );
  });

  it('shows a record that was added, even with a right hash of its own', () => {
    fc.assert(
      fc.property(chain, fc.nat(), entry, (kept, index, added) => {
        const place = index % kept.records.length;
        const before = kept.records[place];
        assert.ok(before);
        const head = { ...kept.head, sequence: before.sequence, hash: before.hash, dateMs: before.dateMs };
        const forged = follow('account:7', head, [added], before.dateMs);
        const records = [...kept.records.slice(0, place + 1), ...forged, ...kept.records.slice(place + 1)];
        assert.ok(check({ ...kept, records }));
      }),
    );
  });

  it('shows a rewritten end whose hashes fit each other', () => {
    fc.assert(
      fc.property(chain, fc.nat(), entry, (kept, index, other) => {
        const place = index % kept.records.length;
        const before = kept.records[place];
        assert.ok(before);
        const head = { ...NO_HEAD, sequence: before.sequence - 1, hash: before.previous, dateMs: before.dateMs };
        const rest = kept.records.slice(place);
        const rewritten = follow('account:7', head, [{ ...other, action: 'forged by hand' }, ...rest.slice(1)], 0);
        assert.ok(check({ ...kept, records: [...kept.records.slice(0, place), ...rewritten] }));
      }),
    );
  });

  describe('with a head that was kept elsewhere', () => {
    const keptOf = ({ records }: Kept, index: number): KeptHead => {
      const record = records[index % records.length];
      assert.ok(record);
      return { sequence: record.sequence, hash: record.hash };
    };

    it('is whole, whichever of its heads it was', () => {
      fc.assert(
        fc.property(chain, fc.nat(), (kept, index) => {
          assert.equal(check(kept, 3, keptOf(kept, index)), undefined);
        }),
      );
    });

    it('shows that its latest records are gone, though its head fits', () => {
      fc.assert(
        fc.property(chain, fc.nat(), (kept, index) => {
          fc.pre(kept.records.length > 1);
          const length = 1 + (index % (kept.records.length - 1));
          const records = kept.records.slice(0, length);
          const last = records.at(-1);
          assert.ok(last);
          const head = { ...kept.head, sequence: last.sequence, hash: last.hash, dateMs: last.dateMs };
          assert.equal(check({ records, head }), undefined);
          const found = check({ records, head }, 3, keptOf(kept, kept.records.length - 1));
          assert.deepEqual(found, { sequence: last.sequence + 1, problem: 'missing' });
        }),
      );
    });

    it('shows that all was written again, with hashes that fit', () => {
      fc.assert(
        fc.property(chain, fc.nat(), entry, (kept, index, other) => {
          const [first] = kept.records;
          assert.ok(first);
          const head = { ...NO_HEAD, sequence: first.sequence - 1, hash: first.previous };
          const forged = { ...other, action: 'forged by hand' };
          const records = follow('account:7', head, [forged, ...kept.records.slice(1)], kept.head.dateMs);
          const last = records.at(-1);
          assert.ok(last);
          const changed = { records, head: { ...kept.head, hash: last.hash } };
          assert.equal(check(changed), undefined);
          const sequence = keptOf(kept, index).sequence;
          assert.deepEqual(check(changed, 3, keptOf(kept, index)), { sequence, problem: 'differs from the kept head' });
        }),
      );
    });

    it('says that its record is past the retention', () => {
      fc.assert(
        fc.property(chain, (kept) => {
          fc.pre(kept.head.firstKept > 2);
          const old = { sequence: kept.head.firstKept - 2, hash: 'a'.repeat(64) };
          assert.match(check(kept, 3, old)?.problem ?? '', /no longer kept/);
          const before = { sequence: kept.head.firstKept - 1, hash: kept.records[0]?.previous ?? '' };
          assert.equal(check(kept, 3, before), undefined);
          assert.match(check(kept, 3, { ...before, hash: 'a'.repeat(64) })?.problem ?? '', /does not follow/);
        }),
      );
    });
  });
});
