import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { withRuleSetWarning } from '../../access/managed-rules';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type MuteResponse, type MutesResponse, toMuteView } from './mute.view';
import { type CreateMuteRequest, readMute, type UpdateMuteRequest } from './mutes.request';
import type { MutesService } from './mutes.service';

@Route('mutes')
@Tags('Mutes')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class MutesController extends Controller {
  constructor(private readonly mutes: MutesService) {
    super();
  }

  /**
   * Lists your mutes, ordered by id, including ended ones.
   * @summary List mutes
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of mutes')
  @Response<ErrorBody>(400, 'Invalid input')
  async listMutes(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<MutesResponse> {
    const { items, total } = await this.mutes.list(caller.userId, readPage(query));
    return { mutes: items.map(toMuteView), total };
  }

  /**
   * Creates a mute, for maintenance or quiet hours: meanwhile your triggers are evaluated and their firings recorded,
   * and nothing is delivered. It applies once, from `start` to `end`, or in hours of the week; with both, in these
   * hours from `start` to `end`. `sensors` and `triggers` limit it to these; if both are given, both must match. The
   * time of the evaluation decides whether a firing is muted. With `then: "deliver"`, each notification gets one digest
   * of what still fires at the end.
   * @summary Create a mute
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The mute was created')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'One of the sensors is not yours', {
    error: 'mute.sensors[0] names a sensor that only its owner may mute',
    code: 'forbidden',
    fields: { 'mute.sensors[0]': 'names a sensor that only its owner may mute' },
  })
  @Response<ErrorBody>(404, 'One of the sensors or triggers does not exist', {
    error: 'mute.sensors[0] names a sensor that does not exist',
    code: 'not_found',
    fields: { 'mute.sensors[0]': 'names a sensor that does not exist' },
  })
  @Response<ErrorBody>(409, 'You have 100 mutes', {
    error: 'you have 100 mutes, which is as many as you can',
    code: 'conflict',
  })
  async createMute(@Body() body: CreateMuteRequest, @Inject() caller: Caller): Promise<MuteResponse> {
    const mute = await this.mutes.create(caller.userId, { ...readMute(body.mute), name: body.mute.name });
    this.setStatus(201);
    this.setHeader('Location', `/mutes/${mute.id}`);
    return { mute: toMuteView(mute) };
  }

  /**
   * Returns one of your mutes.
   * @summary Get a mute
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The mute')
  @Response<ErrorBody>(404, 'You have no such mute')
  async getMute(@Path() id: string, @Inject() caller: Caller): Promise<MuteResponse> {
    return { mute: toMuteView(await this.mutes.get(caller.userId, readId(id, 'mute'))) };
  }

  /**
   * Changes the given fields of a mute. `weekly: null` removes its hours of the week, 0 its `start` or `end`, and an empty list its
   * limit to sensors or triggers.
   * @summary Update a mute
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated mute')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'One of the sensors is not yours', {
    error: 'mute.sensors[0] names a sensor that only its owner may mute',
    code: 'forbidden',
    fields: { 'mute.sensors[0]': 'names a sensor that only its owner may mute' },
  })
  @Response<ErrorBody>(404, 'You have no such mute, or one of the sensors or triggers does not exist')
  async updateMute(
    @Path() id: string,
    @Body() body: UpdateMuteRequest,
    @Inject() caller: Caller,
  ): Promise<MuteResponse> {
    const mute = await this.mutes.update(caller.userId, readId(id, 'mute'), readMute(body.mute));
    return { mute: toMuteView(mute), warning: await withRuleSetWarning(undefined, 'mute', mute.id) };
  }

  /**
   * Ends a mute. Firings of its time stay undelivered, unless it has `then: "deliver"` and they still fire; the ends of
   * episodes that wait for it are delivered.
   * @summary Delete a mute
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The mute was deleted')
  @Response<ErrorBody>(404, 'You have no such mute')
  async deleteMute(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.mutes.delete(caller.userId, readId(id, 'mute'));
    return {};
  }
}
