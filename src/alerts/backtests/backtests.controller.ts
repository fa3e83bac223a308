import { Body, Controller, Inject, Path, Post, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { leftOutParentWarning } from '../triggers/left-out-parent';
import type { TriggersService } from '../triggers/triggers.service';
import type { AudienceInput } from './audience-reader';
import { type BacktestResponse, toBacktestView } from './backtest.view';
import { subjectOf, subjectOfTrigger } from './backtest-subject.request';
import { type RuleBacktestRequest, readBacktestScope, type TriggerBacktestRequest } from './backtests.request';
import type { BacktestSubject, BacktestsService } from './backtests.service';

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
    error: 'another backtest of yours is under way',
    code: 'rate_limited',
  })
  async backtestRule(@Body() body: RuleBacktestRequest, @Inject() caller: Caller): Promise<BacktestResponse> {
    return this.respond(caller.userId, body, subjectOf(body, body.trigger));
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
    error: 'another backtest of yours is under way',
    code: 'rate_limited',
  })
  async backtestTrigger(
    @Path() id: string,
    @Body() body: TriggerBacktestRequest,
    @Inject() caller: Caller,
  ): Promise<BacktestResponse> {
    const trigger = await this.triggers.find(caller.userId, readId(id, 'trigger'));
    return this.respond(caller.userId, body, subjectOfTrigger(body, trigger), trigger);
  }

  private async respond(
    userId: number,
    body: TriggerBacktestRequest,
    subject: BacktestSubject,
    trigger?: AudienceInput['trigger'],
  ): Promise<BacktestResponse> {
    const other = await this.readOther(userId, body, trigger);
    const backtest = await this.backtests.run(userId, subject, readBacktestScope(body), other ? [other] : []);
    return { backtest: toBacktestView(backtest), warning: await leftOutParentWarning(trigger) };
  }

  private async readOther(userId: number, body: TriggerBacktestRequest, trigger?: AudienceInput['trigger']) {
    const { compare } = body;
    if (compare === undefined) return undefined;
    if (typeof compare === 'object') return subjectOf(body, compare, trigger);
    return subjectOfTrigger(body, await this.triggers.find(userId, readId(compare, 'trigger')));
  }
}
