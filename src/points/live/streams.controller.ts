import {
  Controller,
  Get,
  Header,
  Inject,
  Path,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import { readStreamedSensors, type SensorsStreamQuery, type StreamQuery } from './streams.request';
import type { OpenStream, StreamsService } from './streams.service';

@Route('')
@Tags('Live')
@Response<ErrorBody>(400, 'Invalid input')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class StreamsController extends Controller {
  private stream: OpenStream | undefined;

  constructor(private readonly streams: StreamsService) {
    super();
  }

  /** The stream that the operation has opened, instead of a body. */
  get opened(): OpenStream | undefined {
    return this.stream;
  }

  /**
   * Streams the data points of a sensor that you can see, as they are stored (server-sent events). It begins with the
   * event `open`; each point is an event `data`, with a cursor as its `id`. With `Last-Event-ID`, everything after that
   * cursor comes first, up to a day or 10,000 points back; `reset` says that this was not possible. `end` says why a
   * stream ends.
   * @summary Stream data
   */
  @Get('sensors/{id}/data/stream')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'Events, until the stream ends')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async streamData(
    @Path() id: string,
    @Queries() query: StreamQuery,
    @Header('Last-Event-ID') lastEventId = '',
    @Inject() caller: Caller,
  ): Promise<void> {
    this.stream = await this.streams.openSensorData(caller, readId(id, 'sensor'), readCursor(query, lastEventId));
  }

  /**
   * The same for several sensors that you can see, at most 100: one stream with the points of all of them.
   * @summary Stream data of several sensors
   */
  @Get('sensors/data/stream')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'Events, until the stream ends')
  @Response<ErrorBody>(404, 'One of the sensors does not exist, or you cannot see it', {
    error: 'the sensor 42 does not exist',
    code: 'not_found',
  })
  async streamSensorsData(
    @Queries() query: SensorsStreamQuery,
    @Header('Last-Event-ID') lastEventId = '',
    @Inject() caller: Caller,
  ): Promise<void> {
    const ids = readStreamedSensors(query.sensor_id);
    this.stream = await this.streams.openData(caller, ids, readCursor(query, lastEventId));
  }

  /**
   * Streams the firings of your triggers as they happen, in the same way: each is an event `firing`.
   * @summary Stream firings
   */
  @Get('firings/stream')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'Events, until the stream ends')
  async streamFirings(
    @Queries() query: StreamQuery,
    @Header('Last-Event-ID') lastEventId = '',
    @Inject() caller: Caller,
  ): Promise<void> {
    this.stream = await this.streams.openFirings(caller, readCursor(query, lastEventId));
  }
}

/** A browser that reconnects sends the header, and the query of the first request. */
function readCursor({ last_event_id }: StreamQuery, header: string): string {
  return header || (last_event_id ?? '');
}
