import {
  Body,
  Controller,
  Get,
  Inject,
  Path,
  Post,
  Produces,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { type PageQuery, readPage } from '../../edge/paging';
import type { ReadModel } from '../../edge/read-model';
import type { Caller } from '../../platform/caller';
import type { ExportedLines } from '../../points';
import { planLines } from './plan-lines';
import { readRuleSet } from './read-rule-set';
import {
  type AppliedRulesResponse,
  type RulePlanResponse,
  type RuleSetsResponse,
  type RuleTestsResponse,
  toAppliedView,
  toPlanView,
  toRuleSetView,
  toTestView,
} from './rule-set.view';
import type { ApplyQuery, PlanQuery, RuleSetDocument } from './rule-sets.request';
import type { RuleSetsService } from './rule-sets.service';

const YAML = 'application/yaml; charset=utf-8';
const DEFAULT_DAYS = 7;
const WRONG: ErrorBody = {
  error: 'line 1, column 1: set is required',
  code: 'invalid_input',
  fields: { set: 'is required' },
};
const WIDE: ErrorBody = {
  error: 'line 5, column 5: triggers[0].selector matches 12000 sensors, and a selector connects at most 10000',
  code: 'conflict',
  fields: { 'triggers[0].selector': 'matches 12000 sensors, and a selector connects at most 10000' },
};
const LARGE: ErrorBody = {
  error: 'a rule set has at most 1000 triggers and 1000 notifications',
  code: 'conflict',
};

@Route('rules')
@Tags('Rule sets')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class RuleSetsController extends Controller {
  constructor(
    private readonly ruleSets: RuleSetsService,
    private readonly readModel: ReadModel,
  ) {
    super();
  }

  /**
   * Lists your rule sets by name, with the numbers of things that they manage.
   * @summary List rule sets
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of rule sets')
  @Response<ErrorBody>(400, 'Invalid input')
  async listRuleSets(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<RuleSetsResponse> {
    const { items, total } = await this.ruleSets.list(caller.userId, readPage(query));
    return { rule_sets: items.map(toRuleSetView), total };
  }

  /**
   * Returns your notifications, triggers and mutes as a rule set: all that no rule set manages yet. Applied without a
   * change, it only takes them over. Values of headers and secrets are not shown.
   * @summary Export rules
   */
  @Get('export')
  @Security('credential', ['read'])
  @Produces('application/yaml')
  @SuccessResponse(200, 'A document of YAML')
  @Response<ErrorBody>(409, 'You have more than 1,000 triggers or notifications', LARGE)
  async exportRules(@Inject() caller: Caller): Promise<string> {
    this.setHeader('Content-Type', YAML);
    return this.ruleSets.textOfAccount(caller.userId);
  }

  /**
   * Returns what a rule set manages as it is now, with changes that were made elsewhere. Its tests are not stored.
   * @summary Get a rule set
   * @param set The name of the rule set.
   * @example set "cold-store"
   */
  @Get('{set}')
  @Security('credential', ['read'])
  @Produces('application/yaml')
  @SuccessResponse(200, 'A document of YAML')
  @Response<ErrorBody>(404, 'You have no such rule set', {
    error: 'the rule set does not exist',
    code: 'not_found',
  })
  @Response<ErrorBody>(409, 'You have more than 1,000 triggers or notifications', LARGE)
  async getRuleSet(@Path() set: string, @Inject() caller: Caller): Promise<string> {
    this.setHeader('Content-Type', YAML);
    return this.ruleSets.text(caller.userId, set);
  }

  /**
   * Runs the tests of a document: the rules decide and deliver as they do live, beginning with nothing stored. Nothing is
   * changed or sent.
   * @summary Test a rule set
   */
  @Post('test')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The outcome of each test')
  @Response<ErrorBody>(400, 'The document is wrong at these places', WRONG)
  @Response<ErrorBody>(409, 'A selector matches more than 10,000 sensors', WIDE)
  async testRules(@Body() body: RuleSetDocument, @Inject() caller: Caller): Promise<RuleTestsResponse> {
    const set = await readRuleSet(body, this.readModel);
    const { tests, warning } = await this.ruleSets.test(caller.userId, set);
    return { tests: tests.map(toTestView), warning };
  }

  /**
   * Compares a document with what is stored: what would be created, changed and deleted, what was changed elsewhere since
   * the set was applied, the outcome of its tests, and what the changed triggers would have done on the stored data of
   * some days. Changes nothing. With `Accept: application/x-ndjson` it returns lines as they become known: `changes` and
   * `tests`, then an `effect` for each changed trigger, with the `progress` (up to 1) twice a second between them, and at
   * last the `digest` with the sums. Without the last line the plan is not complete.
   * @summary Plan a rule set
   */
  @Post('plan')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The plan')
  @Response<ErrorBody>(400, 'The document is wrong at these places', WRONG)
  @Response<ErrorBody>(409, 'A selector matches more than 10,000 sensors', WIDE)
  @Response<ErrorBody>(429, 'Another backtest of yours is running, or too many of other users are', {
    error: 'a backtest, plan or suggestion of yours is under way',
    code: 'rate_limited',
  })
  async planRules(
    @Queries() query: PlanQuery,
    @Body() body: RuleSetDocument,
    @Inject() caller: Caller,
  ): Promise<RulePlanResponse> {
    const set = await readRuleSet(body, this.readModel);
    return { plan: toPlanView(await this.ruleSets.plan(caller.userId, set, query.days ?? DEFAULT_DAYS)) };
  }

  /** A plan as lines. */
  async planLines(
    { days = DEFAULT_DAYS }: PlanQuery,
    body: RuleSetDocument,
    { userId }: Caller,
  ): Promise<ExportedLines> {
    const set = await readRuleSet(body, this.readModel);
    const lines = planLines((listener) => this.ruleSets.plan(userId, set, days, listener));
    return { name: 'plan', lines, isLive: true };
  }

  /**
   * Makes the changes of a plan, all or none. What is unchanged is not touched: no episode of it ends, and it gets no
   * version.
   * @summary Apply a rule set
   */
  @Post('apply')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'What was changed')
  @Response<ErrorBody>(400, 'The document is wrong at these places', WRONG)
  @Response<ErrorBody>(409, 'The document, or what it manages, has changed since the plan, or a test fails', {
    error: 'the document, or what it manages, has changed since the plan: make a new plan',
    code: 'conflict',
  })
  async applyRules(
    @Queries() query: ApplyQuery,
    @Body() body: RuleSetDocument,
    @Inject() caller: Caller,
  ): Promise<AppliedRulesResponse> {
    const set = await readRuleSet(body, this.readModel);
    const { digest, prune = false, episodes = 'keep', tests } = query;
    const options = { digest, prune, episodes, ignoresTests: tests === 'ignore' };
    return { applied: toAppliedView(await this.ruleSets.apply(caller, set, options)) };
  }
}
