import {
  Controller,
  Get,
  NoSecurity,
  Path,
  Produces,
  Queries,
  Response,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { answerPicture } from '../environments/picture-headers';
import { type PublicDashboardResponse, toPublicDashboardView } from './dashboard.view';
import type { TileQuery } from './dashboards.request';
import type { PublicDashboardsService } from './public-dashboards.service';
import { type TileDataResponse, toTileDataView } from './tile-data.view';

const NO_LINK: ErrorBody = { error: 'the dashboard does not exist', code: 'not_found' };

@Route('public')
@Tags('Dashboards')
export class PublicDashboardsController extends Controller {
  constructor(private readonly dashboards: PublicDashboardsService) {
    super();
    this.setHeader('X-Robots-Tag', 'noindex');
  }

  /**
   * Returns a dashboard by the token of its public link: its name and its tiles, without ids. Needs no session.
   * @summary Get a public dashboard
   * @param token The token of the link
   * @example token "7Ldn0TtVbcTCBTlGq5m6Z4zq0T3rYkQfJ9w2nXhUa1s"
   */
  @Get('{token}')
  @NoSecurity()
  @SuccessResponse(200, 'The dashboard')
  @Response<ErrorBody>(404, 'There is no such link, or it was revoked', NO_LINK)
  async getPublicDashboard(@Path() token: string): Promise<PublicDashboardResponse> {
    return { dashboard: toPublicDashboardView(await this.dashboards.get(token)) };
  }

  /**
   * Returns the data of a tile of a public dashboard: of its sensors, its fields and its range, and nothing else. A sensor
   * that the owner of the dashboard does not own is not available. Needs no session.
   * @summary Read the data of a public tile
   * @param token The token of the link
   * @example token "7Ldn0TtVbcTCBTlGq5m6Z4zq0T3rYkQfJ9w2nXhUa1s"
   */
  @Get('{token}/data')
  @NoSecurity()
  @SuccessResponse(200, 'The data of the tile')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'There is no such link, it was revoked, or the dashboard has no such tile', NO_LINK)
  async readPublicTile(@Path() token: string, @Queries() query: TileQuery): Promise<TileDataResponse> {
    const { data, version } = await this.dashboards.readTile(token, query.tile);
    return { tile: toTileDataView(data, version, false) };
  }

  /**
   * Returns the picture of the plan of a tile, with its own content type. Needs no session.
   * @summary Read the picture of a public tile
   * @param token The token of the link
   * @example token "7Ldn0TtVbcTCBTlGq5m6Z4zq0T3rYkQfJ9w2nXhUa1s"
   */
  @Get('{token}/plan')
  @Produces('image/png')
  @NoSecurity()
  @SuccessResponse(200, 'The picture: PNG, JPEG or WebP')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'There is no such link, it was revoked, or the tile has no picture', NO_LINK)
  async readPublicTilePlan(@Path() token: string, @Queries() query: TileQuery): Promise<Buffer> {
    return answerPicture(this, await this.dashboards.readPlanImage(token, query.tile));
  }
}
