import {
  Body,
  Controller,
  Get,
  Hidden,
  Inject,
  NoSecurity,
  OperationId,
  Post,
  Queries,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Caller } from '../../platform/caller';
import {
  answerOpening,
  isVerbose,
  type PingQuery,
  readWrite,
  type StatementQuery,
  type WriteQuery,
} from './influx.request';
import type { InfluxService } from './influx.service';
import type { ProtocolBody } from './protocols.request';

/** The version of InfluxDB whose interface this is: some clients refuse to start without one. */
const VERSION = '2.7.0-compatible';

/** The interface of InfluxDB 2 and 1 for agents that write (https://docs.influxdata.com/influxdb/v2/api/). */
@Route('')
@Tags('InfluxDB')
@Hidden()
export class InfluxController extends Controller {
  /** When the points were stored, for the log. */
  storedMs?: number;

  constructor(private readonly influx: InfluxService) {
    super();
  }

  /** Stores lines, as InfluxDB 2 does. */
  @Post('api/v2/write')
  @Security('credential', ['data:write'])
  @OperationId('writeInflux2')
  @SuccessResponse(204, 'The points are stored')
  async write2(@Queries() query: WriteQuery, @Body() body: ProtocolBody, @Inject() caller: Caller): Promise<void> {
    await this.write(query, body, caller);
  }

  /** Stores lines, as InfluxDB 1 does. */
  @Post('write')
  @Security('credential', ['data:write'])
  @OperationId('writeInflux1')
  @SuccessResponse(204, 'The points are stored')
  async write1(@Queries() query: WriteQuery, @Body() body: ProtocolBody, @Inject() caller: Caller): Promise<void> {
    await this.write(query, body, caller);
  }

  /** Says that the platform is there; with `verbose` in a body, without which Tasmota does not begin to write. */
  @Get('ping')
  @NoSecurity()
  @OperationId('pingInflux')
  @SuccessResponse(204, 'The platform is there')
  async ping(@Queries() query: PingQuery): Promise<object | undefined> {
    this.setHeader('X-Influxdb-Version', VERSION);
    this.setHeader('X-Influxdb-Build', 'OSS');
    this.setStatus(isVerbose(query) ? 200 : 204);
    return isVerbose(query) ? { version: VERSION } : undefined;
  }

  /** Says that the platform is there, as InfluxDB 2 does. */
  @Get('health')
  @NoSecurity()
  @OperationId('healthInflux')
  async health(): Promise<object> {
    return { name: 'influxdb', message: 'ready for queries and writes', status: 'pass', checks: [], version: VERSION };
  }

  /** Answers the statements with which clients of InfluxDB 1 begin. Data is read by `GET /sensors/{id}/data`. */
  @Get('query')
  @Security('credential', ['data:write'])
  @OperationId('queryInflux')
  async query(@Queries() query: StatementQuery): Promise<object> {
    return answerOpening(query);
  }

  /** The same by POST. */
  @Post('query')
  @Security('credential', ['data:write'])
  @OperationId('postQueryInflux')
  async postQuery(@Queries() query: StatementQuery, @Body() _body: ProtocolBody): Promise<object> {
    return answerOpening(query);
  }

  private async write(query: WriteQuery, given: ProtocolBody, caller: Caller): Promise<void> {
    const { lines, precision } = readWrite(query, given);
    const { storedMs } = await this.influx.write(caller, lines, precision);
    this.storedMs = storedMs;
    this.setStatus(204);
  }
}
