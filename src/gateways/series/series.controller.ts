import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
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
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { readSensorId, type SeriesQuery, type UpdateSeriesRequest } from './series.request';
import type { SeriesService } from './series.service';
import { type SeriesListResponse, type SeriesResponse, toSeriesView } from './series.view';

@Route('series')
@Tags('Series')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class SeriesController extends Controller {
  constructor(private readonly series: SeriesService) {
    super();
  }

  /**
   * Lists your series, ordered by id: the names by which agents and devices report data, and the sensors that they lead
   * to. A series is made, together with its sensor, when its first point arrives.
   * @summary List series
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of series')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it', {
    error: 'only the owner of the sensor may do this',
    code: 'forbidden',
  })
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async listSeries(@Queries() query: SeriesQuery, @Inject() caller: Caller): Promise<SeriesListResponse> {
    const sensorId = query.sensor_id === undefined ? undefined : readSensorId(query.sensor_id);
    const { items, total } = await this.series.list(caller.userId, readPage(query), sensorId);
    return { series: items.map(toSeriesView), total };
  }

  /**
   * Returns one of your series.
   * @summary Get a series
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The series')
  @Response<ErrorBody>(404, 'You have no such series')
  async getSeries(@Path() id: string, @Inject() caller: Caller): Promise<SeriesResponse> {
    return { series: toSeriesView(await this.series.find(caller.userId, readId(id, 'series'))) };
  }

  /**
   * Leads a series to another of your sensors, which gets its points from now on. Stored points stay where they are.
   * @summary Lead a series to another sensor
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated series')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it', {
    error: 'only the owner of the sensor may do this',
    code: 'forbidden',
  })
  @Response<ErrorBody>(404, 'You have no such series, or cannot see the sensor')
  async updateSeries(
    @Path() id: string,
    @Body() body: UpdateSeriesRequest,
    @Inject() caller: Caller,
  ): Promise<SeriesResponse> {
    const sensorId = readSensorId(body.sensor_id);
    return { series: toSeriesView(await this.series.lead(caller.userId, readId(id, 'series'), sensorId)) };
  }

  /**
   * Forgets the name of a series. Its sensor keeps its data; if the name arrives again, another sensor is made.
   * @summary Delete a series
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The series was deleted')
  @Response<ErrorBody>(404, 'You have no such series')
  async deleteSeries(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.series.delete(caller.userId, readId(id, 'series'));
    return {};
  }
}
