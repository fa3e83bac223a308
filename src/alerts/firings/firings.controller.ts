import {
  Body,
  Controller,
  Get,
  Header,
  Inject,
  Path,
  Post,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { Words } from '../../platform/words/words';
import { type BulkFiringsRequest, readBulkFirings } from './bulk-firings.request';
import type { BulkFiringsService } from './bulk-firings.service';
import { type BulkFiringsResponse, toBulkFiringsView } from './bulk-firings.view';
import { type FiringResponse, type FiringsResponse, toFiringView, toFiringViews } from './firing.view';
import type { EpisodeFiring } from './firing-list';
import {
  type AcknowledgeRequest,
  type AssignRequest,
  type FiringsQuery,
  readAssigned,
  readFiringFilter,
} from './firings.request';
import type { FiringsService } from './firings.service';

const MAY_ONLY_SEE: ErrorBody = { error: 'in the group of this alert you may not handle alerts', code: 'forbidden' };

@Route('firings')
@Tags('Firings')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class FiringsController extends Controller {
  constructor(
    private readonly firings: FiringsService,
    private readonly bulk: BulkFiringsService,
  ) {
    super();
  }

  /**
   * Lists each firing of your triggers on your sensors, and of triggers that others show to a group in which you may see
   * alerts: oldest first, or newest first with `sort=DESC`. `state=firing` lists the open alerts. A page with more than 32 MB of variables is refused with 400: ask for fewer per page.
   * @summary List the firings of all triggers
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of firings')
  @Response<ErrorBody>(400, 'Invalid input')
  async listAllFirings(@Queries() query: FiringsQuery, @Inject() caller: Caller): Promise<FiringsResponse> {
    const filter = readFiringFilter(query);
    const { userId } = caller;
    const { items, total } = await this.firings.list(userId, filter, readPage(query), { sort: query.sort });
    return { firings: toFiringViews(items, userId), total };
  }

  /**
   * Acknowledges, resolves or mutes many firings, named by `firings`, or by a `filter` of the open alerts that you
   * may handle. A mute is one of the trigger on the sensor, as `muted_until` is; for an alert of another user it is a mute
   * of theirs with your name. Those on which it was refused are listed with the reason; it is
   * done on the others. Sending the same request again is harmless.
   * @summary Acknowledge, resolve or mute many firings
   * @param language The language of the reasons, `de` for German
   * @example language "de"
   */
  @Post('bulk')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'On how many firings it was done, and on which it was not')
  @Response<ErrorBody>(400, 'Invalid input; nothing was done', {
    error: 'firings is required without filter; "all": true selects everything',
    code: 'invalid_input',
    fields: { firings: 'is required without filter; "all": true selects everything' },
  })
  async changeFirings(
    @Body() body: BulkFiringsRequest,
    @Header('Accept-Language') language = '',
    @Inject() caller: Caller,
  ): Promise<BulkFiringsResponse> {
    const { selection, action } = readBulkFirings(body);
    return toBulkFiringsView(await this.bulk.run(caller.userId, selection, action), Words.preferredBy(language));
  }

  /**
   * Returns a firing that you see, with the state of its episode.
   * @summary Get a firing
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The firing')
  @Response<ErrorBody>(404, 'The firing does not exist, or you cannot see it')
  async getFiring(@Path() id: string, @Inject() caller: Caller): Promise<FiringResponse> {
    return toResponse(await this.firings.find(caller.userId, readId(id, 'firing')), caller);
  }

  /**
   * Acknowledges the episode of this firing: it does not fire again. It lasts until its cause is over. Who acknowledged it
   * may change the note by doing so again; others change nothing.
   * @summary Acknowledge a firing
   */
  @Post('{id}/acknowledge')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The acknowledged firing')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You may see the alert, and not handle it', MAY_ONLY_SEE)
  @Response<ErrorBody>(404, 'The firing does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'Its episode has ended', { error: 'the episode has ended', code: 'conflict' })
  async acknowledgeFiring(
    @Path() id: string,
    @Body() body: AcknowledgeRequest,
    @Inject() caller: Caller,
  ): Promise<FiringResponse> {
    return toResponse(await this.firings.acknowledge(caller, readId(id, 'firing'), body.note), caller);
  }

  /**
   * Assigns the episode of this firing to a user who sees it: the owner of the trigger, or a member of its group who may
   * see alerts, and whose name you know: by the group or a share, or because you may add users to the group. `null` assigns
   * it to nobody. The assignment stays when the user no longer sees the alert.
   * @summary Assign a firing
   */
  @Post('{id}/assign')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The assigned firing')
  @Response<ErrorBody>(400, 'Invalid input', {
    error: 'user_id must be the id of a user who sees this alert',
    code: 'invalid_input',
    fields: { user_id: 'must be the id of a user who sees this alert' },
  })
  @Response<ErrorBody>(403, 'You may see the alert, and not handle it', MAY_ONLY_SEE)
  @Response<ErrorBody>(404, 'The firing does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'Its episode has ended', { error: 'the episode has ended', code: 'conflict' })
  async assignFiring(
    @Path() id: string,
    @Body() body: AssignRequest,
    @Inject() caller: Caller,
  ): Promise<FiringResponse> {
    return toResponse(await this.firings.assign(caller.userId, readId(id, 'firing'), readAssigned(body)), caller);
  }

  /**
   * Ends the episode of this firing by hand, with deliveries if its trigger has `notify_resolved`. If its cause
   * continues, the next evaluation begins a new episode.
   * @summary Resolve a firing
   */
  @Post('{id}/resolve')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The resolved firing')
  @Response<ErrorBody>(403, 'You may see the alert, and not handle it', MAY_ONLY_SEE)
  @Response<ErrorBody>(404, 'The firing does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'Its episode has ended', { error: 'the episode has ended', code: 'conflict' })
  async resolveFiring(@Path() id: string, @Inject() caller: Caller): Promise<FiringResponse> {
    return toResponse(await this.firings.resolve(caller.userId, readId(id, 'firing')), caller);
  }
}

function toResponse(firing: EpisodeFiring, { userId }: Caller): FiringResponse {
  return { firing: toFiringView(firing, { isOwn: firing.firing.ownerId === userId }) };
}
