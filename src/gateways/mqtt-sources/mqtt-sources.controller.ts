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
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { type PageQuery, readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { type MqttMessagesResponse, toMqttMessageView } from './mqtt-message.view';
import { type MqttSourceResponse, type MqttSourcesResponse, toMqttSourceView } from './mqtt-source.view';
import {
  type CreateMqttSourceRequest,
  readMqttSourceChanges,
  readNewMqttSource,
  type UpdateMqttSourceRequest,
} from './mqtt-sources.request';
import type { MqttSourcesService } from './mqtt-sources.service';

@Route('mqtt_sources')
@Tags('MQTT sources')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class MqttSourcesController extends Controller {
  constructor(
    private readonly sources: MqttSourcesService,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * Lists your MQTT sources, ordered by id.
   * @summary List MQTT sources
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of sources')
  @Response<ErrorBody>(400, 'Invalid input')
  async listMqttSources(@Queries() query: PageQuery, @Inject() caller: Caller): Promise<MqttSourcesResponse> {
    const { items, total } = await this.sources.list(caller.userId, readPage(query));
    const nowMs = this.clock.now();
    return { mqtt_sources: items.map((item) => toMqttSourceView(item, nowMs)), total };
  }

  /**
   * Creates an MQTT source: the platform connects to your broker, subscribes to the topics and stores the messages as
   * data points of your sensors, which it makes as they appear. A message with QoS 1 is acknowledged after it is stored:
   * while the platform is away, your broker keeps it. `state` and `last_error` say how the connection is.
   * @summary Create an MQTT source
   */
  @Post()
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The source was created')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(409, 'You have 20 sources', {
    error: 'you have 20 MQTT sources, which is as many as you can',
    code: 'conflict',
  })
  async createMqttSource(@Body() body: CreateMqttSourceRequest, @Inject() caller: Caller): Promise<MqttSourceResponse> {
    const source = await this.sources.create(caller.userId, readNewMqttSource(body.mqtt_source));
    this.setStatus(201);
    this.setHeader('Location', `/mqtt_sources/${source.id}`);
    return { mqtt_source: toMqttSourceView(source, this.clock.now()) };
  }

  /**
   * Returns one of your MQTT sources.
   * @summary Get an MQTT source
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The source')
  @Response<ErrorBody>(404, 'You have no such source')
  async getMqttSource(@Path() id: string, @Inject() caller: Caller): Promise<MqttSourceResponse> {
    const source = await this.sources.get(caller.userId, readId(id, 'MQTT source'));
    return { mqtt_source: toMqttSourceView(source, this.clock.now()) };
  }

  /**
   * Returns the latest messages of an MQTT source, newest first, and what became of each: at most 50, with the beginnings
   * of their topics and payloads. A message appears within about a second.
   * @summary List the latest messages of an MQTT source
   */
  @Get('{id}/messages')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The latest messages')
  @Response<ErrorBody>(404, 'You have no such source')
  @Response<ErrorBody>(503, 'The messages cannot be read at the moment')
  async listMqttSourceMessages(@Path() id: string, @Inject() caller: Caller): Promise<MqttMessagesResponse> {
    const messages = await this.sources.messages(caller.userId, readId(id, 'MQTT source'));
    return { messages: messages.map(toMqttMessageView) };
  }

  /**
   * Changes the given fields of an MQTT source. The connection ends, and another one opens.
   * @summary Update an MQTT source
   */
  @Put('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated source')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such source')
  async updateMqttSource(
    @Path() id: string,
    @Body() body: UpdateMqttSourceRequest,
    @Inject() caller: Caller,
  ): Promise<MqttSourceResponse> {
    const changes = readMqttSourceChanges(body.mqtt_source);
    const source = await this.sources.update(caller.userId, readId(id, 'MQTT source'), changes);
    return { mqtt_source: toMqttSourceView(source, this.clock.now()) };
  }

  /**
   * Deletes an MQTT source: the connection ends. The sensors that it made stay, with their data.
   * @summary Delete an MQTT source
   */
  @Delete('{id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The source was deleted')
  @Response<ErrorBody>(404, 'You have no such source')
  async deleteMqttSource(@Path() id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.sources.delete(caller.userId, readId(id, 'MQTT source'));
    return {};
  }
}
