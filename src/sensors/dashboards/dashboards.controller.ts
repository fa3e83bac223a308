import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Produces,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { answerPicture } from '../environments/picture-headers';
import { type DashboardResponse, type DashboardsResponse, toDashboardView } from './dashboard.view';
import {
  type CreateDashboardRequest,
  readTiles,
  type TileQuery,
  type UpdateDashboardRequest,
} from './dashboards.request';
import type { DashboardsService } from './dashboards.service';
import { type TileDataResponse, toTileDataView } from './tile-data.view';

@Route('dashboards')
@Tags('Dashboards')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class DashboardsController extends Controller {
  constructor(private readonly dashboards: DashboardsService) {
    super();
  }

  /**
   * Lists your dashboards, ordered by id.
   * @summary List dashboards
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of dashboards')
  @Response<ErrorBody>(400, 'Invalid input')
  async listDashboards(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<DashboardsResponse> {
    const { items, total } = await this.dashboards.list(caller.userId, readPage(query));
    return { dashboards: items.map(toDashboardView), total };
  }

  /**
   * Creates a dashboard: tiles on a grid of 12 columns. Tiles may only name sensors that you can see.
   * @summary Create a dashboard
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The dashboard was created')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'A sensor does not exist or you cannot see it')
  @Response<ErrorBody>(409, 'You have 100 dashboards', {
    error: 'you have 100 dashboards, which is as many as you can',
    code: 'conflict',
  })
  async createDashboard(@Body() body: CreateDashboardRequest, @Inject() caller: Caller): Promise<DashboardResponse> {
    const { name, tiles } = body.dashboard;
    const dashboard = await this.dashboards.create(caller.userId, name, readTiles(tiles) ?? []);
    this.setStatus(201);
    this.setHeader('Location', `/dashboards/${dashboard.id}`);
    return { dashboard: toDashboardView(dashboard) };
  }

  /**
   * Returns one of your dashboards.
   * @summary Get a dashboard
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The dashboard')
  @Response<ErrorBody>(404, 'You have no such dashboard')
  async getDashboard(@Path() id: string, @Inject() caller: Caller): Promise<DashboardResponse> {
    return { dashboard: toDashboardView(await this.dashboards.get(caller.userId, readId(id, 'dashboard'))) };
  }

  /**
   * Changes the given fields of a dashboard. With `version` a change that is based on an outdated dashboard is refused;
   * without it the last change wins. The public link stays, and shows the change at once.
   * @summary Update a dashboard
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated dashboard')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such dashboard, or a sensor does not exist or you cannot see it')
  @Response<ErrorBody>(409, 'The dashboard has another version', {
    error: 'the dashboard was changed since you read it; load it again',
    code: 'conflict',
  })
  async updateDashboard(
    @Path() id: string,
    @Body() body: UpdateDashboardRequest,
    @Inject() caller: Caller,
  ): Promise<DashboardResponse> {
    const { name, tiles, version } = body.dashboard;
    const changes = { name, tiles: readTiles(tiles), version };
    const dashboard = await this.dashboards.update(caller.userId, readId(id, 'dashboard'), changes);
    return { dashboard: toDashboardView(dashboard) };
  }

  /**
   * Deletes a dashboard, and with it its public link.
   * @summary Delete a dashboard
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The dashboard was deleted')
  @Response<ErrorBody>(404, 'You have no such dashboard')
  async deleteDashboard(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.dashboards.delete(caller.userId, readId(id, 'dashboard'));
    return {};
  }

  /**
   * Returns the data of a tile: of its sensors, its fields and its range. A sensor that you cannot see any more is not
   * available.
   * @summary Read the data of a tile
   */
  @Get('{id}/data')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The data of the tile')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such dashboard, or it has no such tile')
  async readTile(@Path() id: string, @Queries() query: TileQuery, @Inject() caller: Caller): Promise<TileDataResponse> {
    const { data, version } = await this.dashboards.readTile(caller.userId, readId(id, 'dashboard'), query.tile);
    return { tile: toTileDataView(data, version, true) };
  }

  /**
   * Returns the picture of the plan of a tile, with its own content type.
   * @summary Read the picture of a tile
   */
  @Get('{id}/plan')
  @Produces('image/png')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The picture: PNG, JPEG or WebP')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such dashboard, or the tile has no picture')
  async readTilePlan(@Path() id: string, @Queries() query: TileQuery, @Inject() caller: Caller): Promise<Buffer> {
    const found = await this.dashboards.readPlanImage(caller.userId, readId(id, 'dashboard'), query.tile);
    return answerPicture(this, found);
  }

  /**
   * Gives a dashboard a public link, `/console/public/{token}`: without a session, anybody who has it sees the data of
   * the tiles, as far as the sensors are your own. A link that the dashboard already has stays; to replace it, revoke it
   * first.
   * @summary Make a public link
   */
  @Post('{id}/public')
  @Security('credential', ['write'])
  @SuccessResponse(201, 'The dashboard with its link')
  @Response<ErrorBody>(404, 'You have no such dashboard')
  async publishDashboard(@Path() id: string, @Inject() caller: Caller): Promise<DashboardResponse> {
    const dashboard = await this.dashboards.publish(caller.userId, readId(id, 'dashboard'));
    this.setStatus(201);
    return { dashboard: toDashboardView(dashboard) };
  }

  /**
   * Revokes the public link of a dashboard, at once and permanently. Without a link nothing happens.
   * @summary Revoke the public link
   */
  @Delete('{id}/public')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The dashboard without a link')
  @Response<ErrorBody>(404, 'You have no such dashboard')
  async unpublishDashboard(@Path() id: string, @Inject() caller: Caller): Promise<DashboardResponse> {
    return { dashboard: toDashboardView(await this.dashboards.unpublish(caller.userId, readId(id, 'dashboard'))) };
  }
}
