import type { Changer } from '../../access/author';
import { lockUser } from '../../access/locked-user';
import { editTogether } from '../../access/rule-edit';
import { nameRuleSet } from '../../audit';
import { type Page, type PageOf, pageOf } from '../../edge/paging';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { RuleSetItem } from '../../storage/models/rule-set-item.model';
import { runOn } from '../../storage/transaction';
import type { EpisodesOnEdit } from '../rules/rule-change';
import { readsZones } from '../rules/rule-zones';
import { ruleOf } from '../rules/trigger-rule';
import { readZonesOf } from '../trigger-store/owner-zones';
import { type Desired, readDesired } from './desired-rules';
import { type Present, readPresent } from './present-rules';
import type { Kind, RuleSet } from './read-rule-set';
import { leftOutOf } from './rule-dependencies';
import type { ChangedTrigger, EffectListener, RuleEffects, TriggerEffect } from './rule-effect';
import { digestOf, Names, namedChanges, type PlannedChange, plannedChanges, removedThings } from './rule-plan';
import { type EpisodeCounts, type RuleServices, RuleSetApplier } from './rule-set-applier';
import { textOfAccount, textOfSet } from './rule-set-text';
import type { RuleTests, TestResult } from './rule-tests';
import { wantedOf } from './wanted-rules';

export interface ListedSet {
  name: string;
  counts: Readonly<Record<Kind, number>>;
  appliedMs: number;
}

export interface TestedSet {
  tests: readonly TestResult[];
  /** What the tests leave out. */
  warning?: string | undefined;
}

export interface RulePlan extends TestedSet {
  digest: string;
  changes: readonly PlannedChange[];
  effect: readonly TriggerEffect[];
}

/** Is called while a plan is made. */
export interface PlanListener extends EffectListener {
  onChanges?: (known: Pick<RulePlan, 'changes' | 'tests' | 'warning'>) => void;
}

export interface AppliedSet extends EpisodeCounts {
  changes: readonly PlannedChange[];
}

interface ApplyOptions {
  digest: string;
  prune: boolean;
  episodes: EpisodesOnEdit;
  ignoresTests: boolean;
}

/** What a document wants, and what is stored. */
interface Read {
  present: Present;
  desired: Desired;
  changes: PlannedChange[];
}

/** Rules of a user as documents that are planned, tested and applied as a whole. */
export class RuleSetsService {
  private readonly applier: RuleSetApplier;

  constructor(
    private readonly database: Database,
    clock: Clock,
    private readonly services: RuleServices,
    private readonly trials: { effects: RuleEffects; tests: RuleTests },
    private readonly schemaUrl: string,
  ) {
    this.applier = new RuleSetApplier(services, clock);
  }

  async list(userId: number, page: Page): Promise<PageOf<ListedSet>> {
    const items = await RuleSetItem.findAll({
      attributes: ['setName', 'kind', 'appliedMs'],
      where: { ownerId: userId },
      order: ['setName'],
    });
    const sets = new Map<string, ListedSet & { counts: Record<Kind, number> }>();
    for (const { setName: name, kind, appliedMs } of items) {
      const set = sets.get(name) ?? { name, counts: { notification: 0, trigger: 0, mute: 0 }, appliedMs: 0 };
      sets.set(name, set);
      set.counts[kind] += 1;
      set.appliedMs = Math.max(set.appliedMs, appliedMs);
    }
    return pageOf([...sets.values()], page);
  }

  /** Throws NotFound. */
  async text(userId: number, set: string): Promise<string> {
    const present = await readPresent(userId, 'all');
    if (!present.items.some(({ setName }) => setName === set)) throw new NotFound('the rule set');
    return textOfSet(present, set, this.schemaUrl);
  }

  async textOfAccount(userId: number): Promise<string> {
    return textOfAccount(await readPresent(userId, 'all'), this.schemaUrl);
  }

  async test(userId: number, set: RuleSet): Promise<TestedSet> {
    const read = await this.read(userId, set);
    const tests = await this.runTests(userId, set, read);
    return { tests, warning: leftOutOf(read.present, read.desired, new Set(tests.map(({ trigger }) => trigger))) };
  }

  /** Changes nothing. */
  async plan(userId: number, set: RuleSet, days: number, listener: PlanListener = {}): Promise<RulePlan> {
    const { effects } = this.trials;
    const read = await this.read(userId, set);
    const { present, desired, changes: found } = read;
    const tests = await this.runTests(userId, set, read);
    const changed = changedTriggers(read);
    const tried = [...tests.map(({ trigger }) => trigger), ...(days > 0 ? changed.map(({ name }) => name) : [])];
    const warning = leftOutOf(present, desired, new Set(tried));
    const known = { changes: named(set, present, found), tests, warning };
    if (days > 0 && changed.length > 0) effects.requireFree(userId);
    listener.onChanges?.(known);
    const effect = await effects.of(userId, changed, desired, days, listener);
    return { digest: digestOf(set, present), ...known, effect };
  }

  /** Throws Conflict if what the plan saw has changed, or if a test fails. All or nothing. */
  async apply(caller: Changer, set: RuleSet, options: ApplyOptions): Promise<AppliedSet> {
    const { userId } = caller;
    nameRuleSet(set.set);
    const before = await this.read(userId, set);
    requireSame(set, before.present, options.digest);
    if (!options.ignoresTests) requirePassed(await this.runTests(userId, set, before));
    return editTogether(this.database.sequelize, async ({ transaction }) => {
      // One set at a time.
      await lockUser(userId, transaction);
      const { present, desired, changes } = await this.read(userId, set, true);
      requireSame(set, present, options.digest);
      const entries = [...desired.notifications, ...desired.triggers, ...desired.mutes];
      const removed = options.prune ? removedThings(set, present, entries) : [];
      const changer = { ...caller, ruleSet: set.set };
      const { ids, kept, ended } = await this.applier.apply(changer, set, desired, {
        removed,
        episodes: options.episodes,
      });
      const wanted = wantedOf(set);
      const idsOf = (kind: Kind) => [
        ...wanted.ids[kind],
        ...[...ids].flatMap(([entry, id]) => (entry.kind === kind ? id : [])),
      ];
      const after = { notification: idsOf('notification'), trigger: idsOf('trigger'), mute: idsOf('mute') };
      await this.applier.record(userId, set, await readPresent(userId, { ...wanted, ids: after }), ids, options.prune);
      const made = changes.filter(({ action }) => action !== 'none' && (action !== 'delete' || options.prune));
      return { changes: named(set, present, made), kept, ended };
    });
  }

  private async read(userId: number, set: RuleSet, lock = false): Promise<Read> {
    const present = await readPresent(userId, wantedOf(set), lock);
    const desired = await readDesired(userId, set, present, this.services);
    return { present, desired, changes: plannedChanges(set, present, desired) };
  }

  private async runTests(userId: number, set: RuleSet, { present, desired }: Read): Promise<TestResult[]> {
    const names = (id: number) => present.things.notification.get(id)?.row.name ?? String(id);
    const isLocated = desired.triggers.some(({ wanted }) => readsZones(ruleOf(wanted)));
    const zones = isLocated ? await readZonesOf(runOn(this.database.reads), userId) : undefined;
    return this.trials.tests.run(userId, set, desired, { names, zones });
  }
}

function named(set: RuleSet, present: Present, changes: readonly PlannedChange[]): PlannedChange[] {
  const names = new Names(present, set.set);
  return changes.map((change) => ({ ...change, fields: namedChanges(change.fields, names) }));
}

function changedTriggers({ present, desired, changes }: Read): ChangedTrigger[] {
  return changes.flatMap(({ kind, name, action, id }): ChangedTrigger[] => {
    if (kind !== 'trigger' || action === 'none') return [];
    const thing = id === undefined ? undefined : present.things.trigger.get(id);
    const before = thing?.kind === 'trigger' ? thing.row : undefined;
    const after = action === 'delete' ? undefined : desired.triggers.find((entry) => entry.name === name);
    return [{ name, before, after }];
  });
}

function requireSame(set: RuleSet, present: Present, digest: string): void {
  if (digestOf(set, present) === digest) return;
  throw new Conflict('the document, or what it manages, has changed since the plan: make a new plan');
}

function requirePassed(tests: readonly TestResult[]): void {
  const failed = tests.filter(({ differences }) => differences.length > 0);
  const [first] = failed.flatMap(({ name, differences }) => differences.map((one) => ({ ...one, name })));
  if (!first) return;
  const where = `line ${first.line}, column ${first.column}: ${first.path} ${first.error}`;
  throw new Conflict(
    `${failed.length} of ${tests.length} tests fail, so nothing was applied; "${first.name}": ${where}`,
  );
}
