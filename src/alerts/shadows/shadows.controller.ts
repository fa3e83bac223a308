import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Inject,
  Path,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { withRuleSetWarning } from '../../access/managed-rules';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { Words } from '../../platform/words/words';
import { leftOutParentWarning } from '../triggers/left-out-parent';
import { toTriggerResponse } from '../triggers/trigger.view';
import type { TriggersService } from '../triggers/triggers.service';
import { type ShadowResponse, type SwitchedTriggerResponse, toShadowView } from './shadow.view';
import type { ShadowReports } from './shadow-reports';
import { type CreateShadowRequest, readShadow } from './shadows.request';
import type { FoundShadow, ShadowsService } from './shadows.service';

@Route('triggers')
@Tags('Triggers')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class ShadowsController extends Controller {
  constructor(
    private readonly triggers: Pick<TriggersService, 'describe'>,
    private readonly shadows: ShadowsService,
    private readonly reports: ShadowReports,
  ) {
    super();
  }

  /**
   * Tries a changed rule next to the trigger, on all its sensors, now and later: in the same evaluation, with a state of
   * its own, which begins as an edit with `"episodes": "keep"` would leave it. Nothing is sent, and no event is raised
   * but `shadow_ended`. A trigger has one shadow, an account at most 20 that run; one that has ended is replaced.
   * @summary Begin a shadow
   * @param language The language of the text, before that of your account.
   * @example language "de"
   */
  @Post('{id}/shadow')
  @Security('credential', ['rules:propose'])
  @SuccessResponse(201, 'The shadow has begun')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such trigger')
  @Response<ErrorBody>(409, 'The trigger has a shadow that runs, or 20 others run', {
    error: 'the trigger has a shadow: end it first, or switch to it',
    code: 'conflict',
  })
  async beginShadow(
    @Path() id: string,
    @Body() body: CreateShadowRequest,
    @Header('Accept-Language') language = '',
    @Inject() caller: Caller,
  ): Promise<ShadowResponse> {
    const { rule, days } = readShadow(body);
    const begun = await this.shadows.begin(caller.userId, readId(id, 'trigger'), rule, days);
    this.setStatus(201);
    return this.respond(begun, language);
  }

  /**
   * Returns the shadow of a trigger, and what it would have done since it began, compared with what the trigger has done.
   * Episodes that were open at its beginning are left out on both sides.
   * @summary Get a shadow
   * @param language The language of the text, before that of your account.
   * @example language "de"
   */
  @Get('{id}/shadow')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The shadow and its report')
  @Response<ErrorBody>(404, 'You have no such trigger, or it has no shadow')
  async getShadow(
    @Path() id: string,
    @Header('Accept-Language') language = '',
    @Inject() caller: Caller,
  ): Promise<ShadowResponse> {
    return this.respond(await this.shadows.find(caller.userId, readId(id, 'trigger')), language);
  }

  /**
   * Ends the shadow of a trigger, and forgets what it has done.
   * @summary Delete a shadow
   */
  @Delete('{id}/shadow')
  @Security('credential', ['rules:propose'])
  @SuccessResponse(200, 'The shadow is gone')
  @Response<ErrorBody>(404, 'You have no such trigger, or it has no shadow')
  async deleteShadow(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.shadows.remove(caller.userId, readId(id, 'trigger'));
    return {};
  }

  /**
   * Gives the trigger the rule and the states of its shadow, which makes a new version and ends the shadow. An episode that
   * is open in both goes on under its id, without a delivery. One that is open in the shadow alone fires now. One that is
   * open in the trigger alone ends.
   * @summary Switch to a shadow
   */
  @Post('{id}/shadow/switch')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The changed trigger')
  @Response<ErrorBody>(404, 'You have no such trigger, or it has no shadow')
  @Response<ErrorBody>(409, 'The shadow has ended', {
    error: 'the shadow has ended, and its states with it: change the trigger itself',
    code: 'conflict',
  })
  async switchToShadow(@Path() id: string, @Inject() caller: Caller): Promise<SwitchedTriggerResponse> {
    const { trigger, kept, ended, fires } = await this.shadows.switchTo(caller, readId(id, 'trigger'));
    const response = toTriggerResponse(trigger, await this.triggers.describe(trigger));
    const warning = await withRuleSetWarning(response.warning, 'trigger', trigger.id);
    return { ...response, warning, kept, ended, fires };
  }

  private async respond(found: FoundShadow, language: string): Promise<ShadowResponse> {
    const shadow = toShadowView(await this.reports.report(found), Words.preferredBy(language));
    return { shadow, warning: await leftOutParentWarning([found.trigger]) };
  }
}
