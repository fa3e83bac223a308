import { Body, Controller, Hidden, Inject, Post, Queries, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { EmptyResponse } from '../../edge/error.view';
import type { Caller } from '../../platform/caller';
import type { MessagesService } from './messages.service';
import type { EventQuery, ProtocolBody } from './protocols.request';

/** The webhooks of LoRaWAN network servers. Messages that report nothing to store are accepted as well. */
@Route('in')
@Tags('LoRaWAN')
@Hidden()
export class LoRaWanController extends Controller {
  /** When the points were stored, for the log. */
  storedMs?: number;

  constructor(private readonly messages: MessagesService) {
    super();
  }

  /** Takes a message of The Things Stack, also at any path below, which the server appends by kind. */
  @Post('ttn')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The message is stored, or holds nothing to store')
  async takeTheThingsStack(@Body() body: ProtocolBody, @Inject() caller: Caller): Promise<EmptyResponse> {
    const stored = await this.messages.store(caller, 'ttn', { body, query: {}, units: 'si' });
    this.storedMs = stored?.storedMs;
    return {};
  }

  /** Takes an event of ChirpStack. */
  @Post('chirpstack')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The event is stored, or holds nothing to store')
  async takeChirpStack(
    @Queries() query: EventQuery,
    @Body() body: ProtocolBody,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    const stored = await this.messages.store(caller, 'chirpstack', { body, query: { ...query }, units: 'si' });
    this.storedMs = stored?.storedMs;
    return {};
  }
}
