import {
  Body,
  Controller,
  Delete,
  Get,
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
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { finishPaced } from '../../platform/paced';
import { CsvFormat } from './csv-format';
import type { DataExport, ExportReader } from './data-export';
import { type ExportedLines, type ExportFormat, toCsv, toNdjson, toSensorCsv } from './data-export.view';
import {
  type DataPointsResponse,
  type DeletedDataResponse,
  toDataPointsResponse,
  type UploadResponse,
} from './data-point.view';
import {
  type AddedPointQuery,
  type DataPointsUpload,
  readSensorsUpload,
  readUpload,
  type SensorsDataUpload,
} from './data-points.request';
import type { DataPointsService, StoredUpload, Uploader } from './data-points.service';
import {
  type DataPointsQuery,
  type DataRangeQuery,
  readDataQuery,
  readDataRange,
  readSensorIds,
  type SensorsDataQuery,
} from './data-reads.request';
import { namedColumns, withUnit } from './sensor-columns';

@Route('sensors')
@Tags('Data points')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class DataPointsController extends Controller {
  /** The rest of the caller's limit of points, for the headers of the response. */
  allowance?: StoredUpload['allowance'];
  /** When the points were stored, for the log. */
  storedMs?: number;

  constructor(
    private readonly dataPoints: DataPointsService,
    private readonly clock: Clock,
    private readonly dataExport: DataExport,
  ) {
    super();
  }

  /**
   * Stores data points of one of your sensors: a list, a single one, or a bare `value` and `date`. A point with the
   * date of an existing one replaces its value, so a request that got no response can be sent again. 201 means that
   * the points are stored and that their triggers will be evaluated. The body may also be CSV or NDJSON; a wrong line is named
   * by its number.
   * @summary Upload data
   */
  @Post('{id}/data')
  @Security('credential', ['data:write'])
  @SuccessResponse(201, 'The points are stored')
  @Response<ErrorBody>(400, 'Invalid input; no point is stored')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async uploadData(
    @Path() id: string,
    @Body() body: DataPointsUpload,
    @Inject() caller: Uploader,
  ): Promise<UploadResponse> {
    const receivedMs = this.clock.now();
    const points = await finishPaced(readUpload(await this.dataPoints.readByType(body, caller.userId, id), id));
    return this.respond(await this.dataPoints.upload(caller, readId(id, 'sensor'), points, receivedMs));
  }

  /**
   * Stores a data point of one of your sensors, for devices that can only send GET. Send the key as the parameter
   * `API_KEY` or in the header; give it `data:write` for this sensor alone, because many programs log addresses.
   * @summary Upload a data point by GET
   */
  @Get('{id}/data/add')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The point is stored')
  @Response<ErrorBody>(400, 'Invalid input; nothing is stored')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async addData(
    @Path() id: string,
    @Queries() query: AddedPointQuery,
    @Inject() caller: Uploader,
  ): Promise<UploadResponse> {
    const stored = await this.uploadData(id, query, caller);
    this.setStatus(200);
    return stored;
  }

  /**
   * Stores data points of several of your sensors: all of them, or none if one is wrong, which the error names.
   * @summary Upload data of several sensors
   */
  @Post('data')
  @Security('credential', ['data:write'])
  @SuccessResponse(201, 'The points are stored')
  @Response<ErrorBody>(400, 'Invalid input; no point is stored')
  @Response<ErrorBody>(403, 'You can see one of the sensors, but do not own it', {
    error: 'sensors[0].sensor_id names a sensor that only its owner may upload to',
    code: 'forbidden',
    fields: { 'sensors[0].sensor_id': 'names a sensor that only its owner may upload to' },
  })
  @Response<ErrorBody>(404, 'One of the sensors does not exist, or you cannot see it', {
    error: 'sensors[0].sensor_id names a sensor that does not exist',
    code: 'not_found',
    fields: { 'sensors[0].sensor_id': 'names a sensor that does not exist' },
  })
  async uploadSensorsData(@Body() body: SensorsDataUpload, @Inject() caller: Uploader): Promise<UploadResponse> {
    const receivedMs = this.clock.now();
    const uploads = await finishPaced(readSensorsUpload(await this.dataPoints.readByType(body, caller.userId)));
    return this.respond(await this.dataPoints.uploadMany(caller, uploads, receivedMs));
  }

  /**
   * Returns the data points of a sensor that you can see, ordered by date. A page with more than 32 MB of values is
   * refused with 400: ask for fewer per page. With `.csv` or `.ndjson` at the end of the path, or `Accept: text/csv` or
   * `application/x-ndjson`, it returns lines: of the whole range, unless `per_page` or `page` is given.
   * @summary Read data
   */
  @Get('{id}/data')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of data points')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async readData(
    @Path() id: string,
    @Queries() query: DataPointsQuery,
    @Inject() caller: Caller,
  ): Promise<DataPointsResponse> {
    const ids = [readId(id, 'sensor')];
    return toDataPointsResponse(await this.dataPoints.read(caller, ids, readDataQuery(query), readPage(query)));
  }

  /**
   * Returns the data points of several sensors that you can see, in one list ordered by date. `last` and `next`
   * return one point of each sensor. A page with more than 32 MB of values is refused with 400: ask for fewer per
   * page.
   * @summary Read data of several sensors
   */
  @Get('data')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of data points')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'One of the sensors does not exist, or you cannot see it', {
    error: 'the sensor 42 does not exist',
    code: 'not_found',
  })
  async readSensorsData(@Queries() query: SensorsDataQuery, @Inject() caller: Caller): Promise<DataPointsResponse> {
    const ids = readSensorIds(query.sensor_id);
    return toDataPointsResponse(await this.dataPoints.read(caller, ids, readDataQuery(query), readPage(query)));
  }

  /**
   * The same data as lines of text, a part at a time: the whole range, unless a page is requested. Errors about the
   * request are thrown before the first part.
   */
  async exportData(
    ids: readonly number[],
    query: DataPointsQuery,
    format: ExportFormat,
    reader: ExportReader,
  ): Promise<ExportedLines> {
    const wanted = readDataQuery(query);
    const page = query.per_page === undefined && query.page === undefined ? undefined : readPage(query);
    await this.dataExport.requireReadable(reader.caller, ids);
    const [only] = ids;
    const name = ids.length === 1 ? `sensor-${only}` : 'sensors';
    const read = () =>
      page ? this.dataExport.readPage(reader, ids, wanted, page) : this.dataExport.read(reader, ids, wanted);
    if (format === 'ndjson') return { name, lines: toNdjson(read(), query) };
    const withExtremes = wanted.intervals?.aggregate === 'all';
    const csv = new CsvFormat(query);
    if (query.columns === 'sensors') {
      const each = await this.dataExport.columnsOfEach(ids, wanted);
      const columns = each.map(({ sensor, values }) => namedColumns(sensor, values, { withExtremes }));
      const [first] = each;
      const ofOne = first && each.length === 1 ? withUnit(first.sensor.name, first.sensor.unit) : name;
      return { name: ofOne, lines: toSensorCsv(read(), columns, csv) };
    }
    const columns = await this.dataExport.columns(ids, wanted);
    return { name, lines: toCsv(read(), { columns, withSensor: ids.length > 1, withExtremes }, csv) };
  }

  /**
   * Deletes one data point of one of your sensors.
   * @summary Delete a data point
   */
  @Delete('{id}/data/{data_id}')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The data point was deleted')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor or the data point does not exist, or you cannot see it')
  async deleteData(@Path() id: string, @Path() data_id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.dataPoints.delete(caller.userId, readId(id, 'sensor'), readId(data_id, 'data point'));
    return {};
  }

  /**
   * Deletes the data points of one of your sensors from one date to another, both inclusive, in steps of 2,000. A
   * request deletes for at most 20 seconds; if points remain, `more` is true, and the same request continues.
   * @summary Delete data of a range
   */
  @Delete('{id}/data')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The data points were deleted')
  @Response<ErrorBody>(400, 'A date is missing or wrong; nothing was deleted')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async deleteDataRange(
    @Path() id: string,
    @Queries() query: DataRangeQuery,
    @Inject() caller: Caller,
  ): Promise<DeletedDataResponse> {
    const range = readDataRange(query);
    const { deleted, more } = await this.dataPoints.deleteRange(caller.userId, readId(id, 'sensor'), range);
    return more ? { deleted, more } : { deleted };
  }

  private respond({ accepted, notEvaluated, storedMs, allowance }: StoredUpload): UploadResponse {
    this.storedMs = storedMs;
    this.allowance = allowance;
    this.setStatus(201);
    return { data: notEvaluated > 0 ? { accepted, not_evaluated: notEvaluated } : { accepted } };
  }
}
