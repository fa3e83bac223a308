import { Body, Controller, Inject, Path, Post, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { type Child, leftOutParentWarning } from '../triggers/left-out-parent';
import type { TriggersService } from '../triggers/triggers.service';
import { type BacktestResponse, toBacktestView } from './backtest.view';
import { subjectOf, subjectOfTrigger } from './backtest-subject.request';
import {
  type AudienceRequest,
  type BacktestRule,
  type RuleBacktestRequest,
  readBacktestScope,
  type TriggerBacktestRequest,
} from './backtests.request';
import type { BacktestSubject, BacktestsService } from './backtests.service';

type Trigger = Awaited<ReturnType<TriggersService['find']>>;

/** A rule to try, and what it depends on. */
interface Tested {
  subject: BacktestSubject;
  child: Child;
}

@Route('triggers')
@Tags('Triggers')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class BacktestsController extends Controller {
  constructor(
    private readonly triggers: TriggersService,
    private readonly backtests: BacktestsService,
  ) {
    super();
  }

  /**
   * Reports when a rule would have fired on stored data, before it is saved as a trigger. `POST
   * /triggers/{id}/backtest` describes how.
   * @summary Backtest a rule
   */
  @Post('backtest')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'What it would have done')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it', {
    error: 'the sensor 42 does not exist',
    code: 'not_found',
  })
  @Response<ErrorBody>(429, 'Another backtest of yours is running, or too many of other users are', {
    error: 'a backtest, plan or suggestion of yours is under way',
    code: 'rate_limited',
  })
  async backtestRule(@Body() body: RuleBacktestRequest, @Inject() caller: Caller): Promise<BacktestResponse> {
    const { userId } = caller;
    return this.respond(userId, body, await this.testedRule(userId, body, body.trigger));
  }

  /**
   * Reports when the trigger would have fired on stored data if it had been connected to the sensors at the start:
   * with the same rules as live, and the dates of the data as the clock. An inactivity is a time without stored
   * data; outages of the platform are not taken into account. `deliveries` says who would have been notified, when and
   * with which text. Nothing is changed or sent. A backtest ends after 10 seconds, or 1,000,000 decisions and
   * deliveries: `until` is how far it came.
   * @summary Backtest a trigger
   */
  @Post('{id}/backtest')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'What it would have done')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such trigger, or a sensor does not exist or you cannot see it')
  @Response<ErrorBody>(429, 'Another backtest of yours is running, or too many of other users are', {
    error: 'a backtest, plan or suggestion of yours is under way',
    code: 'rate_limited',
  })
  async backtestTrigger(
    @Path() id: string,
    @Body() body: TriggerBacktestRequest,
    @Inject() caller: Caller,
  ): Promise<BacktestResponse> {
    const trigger = await this.triggers.find(caller.userId, readId(id, 'trigger'));
    return this.respond(caller.userId, body, testedTrigger(body, trigger), trigger);
  }

  private async respond(
    userId: number,
    body: TriggerBacktestRequest,
    one: Tested,
    trigger?: Trigger,
  ): Promise<BacktestResponse> {
    const other = await this.readOther(userId, body, trigger);
    const others = other ? [other] : [];
    const scope = readBacktestScope(body);
    const subjects = others.map(({ subject }) => subject);
    const backtest = await this.backtests.run(userId, one.subject, scope, subjects);
    const warning = await leftOutParentWarning([one, ...others].map(({ child }) => child));
    return { backtest: toBacktestView(backtest), warning };
  }

  private async readOther(
    userId: number,
    body: TriggerBacktestRequest,
    trigger?: Trigger,
  ): Promise<Tested | undefined> {
    const { compare } = body;
    if (compare === undefined) return undefined;
    if (typeof compare === 'object') return this.testedRule(userId, body, compare, trigger);
    return testedTrigger(body, await this.triggers.find(userId, readId(compare, 'trigger')));
  }

  private async testedRule(
    userId: number,
    body: AudienceRequest,
    rule: BacktestRule,
    trigger?: Trigger,
  ): Promise<Tested> {
    const { name = trigger?.name ?? '…', depends_on: dependency } = rule;
    const parent = dependency && (await this.triggers.find(userId, readId(dependency.trigger_id, 'trigger')));
    const parentId = dependency === undefined ? trigger?.parentId : parent?.id;
    return { subject: subjectOf(body, rule, trigger), child: { name, parentId: parentId ?? null } };
  }
}

function testedTrigger(body: AudienceRequest, trigger: Trigger): Tested {
  return { subject: subjectOfTrigger(body, trigger), child: trigger };
}
