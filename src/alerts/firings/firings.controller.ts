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
import { type FiringResponse, type FiringsResponse, toFiringView } from './firing.view';
import { type AcknowledgeRequest, type FiringsQuery, readFiringFilter } from './firings.request';
import type { FiringsService } from './firings.service';

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
   * Lists each firing of your triggers on your sensors: oldest first, or newest first with `sort=DESC`. `state=firing`
   * lists your open alerts. A page with more than 32 MB of variables is refused with 400: ask for fewer per page.
   * @summary List the firings of all triggers
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of firings')
  @Response<ErrorBody>(400, 'Invalid input')
  async listAllFirings(@Queries() query: FiringsQuery, @Inject() caller: Caller): Promise<FiringsResponse> {
    const filter = readFiringFilter(query);
    const { items, total } = await this.firings.list(caller.userId, filter, readPage(query), query.sort);
    return { firings: items.map(toFiringView), total };
  }

  /**
   * Acknowledges, resolves or mutes many firings, named by `firings`, or by a `filter` of your open alerts. A mute is one
   * of the trigger on the sensor, as `muted_until` is. Those on which it was refused are listed with the reason; it is
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
   * Returns a firing of one of your triggers, with the state of its episode.
   * @summary Get a firing
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The firing')
  @Response<ErrorBody>(404, 'None of your triggers has this firing')
  async getFiring(@Path() id: string, @Inject() caller: Caller): Promise<FiringResponse> {
    return { firing: toFiringView(await this.firings.find(caller.userId, readId(id, 'firing'))) };
  }

  /**
   * Acknowledges the episode of this firing: it does not fire again. It lasts until its cause is over. Acknowledging it
   * again changes nothing except the note.
   * @summary Acknowledge a firing
   */
  @Post('{id}/acknowledge')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The acknowledged firing')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'None of your triggers has this firing')
  @Response<ErrorBody>(409, 'Its episode has ended', { error: 'the episode has ended', code: 'conflict' })
  async acknowledgeFiring(
    @Path() id: string,
    @Body() body: AcknowledgeRequest,
    @Inject() caller: Caller,
  ): Promise<FiringResponse> {
    const firing = await this.firings.acknowledge(caller.userId, readId(id, 'firing'), body.note);
    return { firing: toFiringView(firing) };
  }

  /**
   * Ends the episode of this firing by hand, with deliveries if its trigger has `notify_resolved`. If its cause
   * continues, the next evaluation begins a new episode.
   * @summary Resolve a firing
   */
  @Post('{id}/resolve')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The resolved firing')
  @Response<ErrorBody>(404, 'None of your triggers has this firing')
  @Response<ErrorBody>(409, 'Its episode has ended', { error: 'the episode has ended', code: 'conflict' })
  async resolveFiring(@Path() id: string, @Inject() caller: Caller): Promise<FiringResponse> {
    return { firing: toFiringView(await this.firings.resolve(caller.userId, readId(id, 'firing'))) };
  }
}
