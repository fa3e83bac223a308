import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AuditEntry, type AuditRecord, follow, type Head, NO_HEAD } from '../../../src/audit/chain/record';
import { type BrokenRecord, ChainCheck } from '../../../src/audit/chain/verification';

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

function check({ records, head }: Kept, pageSize = 3): BrokenRecord | undefined {
  const found = new ChainCheck(head);
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
});
