import {
  Body,
  Controller,
  Get,
  Hidden,
  Inject,
  Path,
  Post,
  Request,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse } from '../../edge/error.view';
import type { Caller } from '../../platform/caller';
import type { MessagesService } from './messages.service';
import { type ProtocolBody, readUnits, type StationRequest } from './protocols.request';

/** What Weather Underground answers; stations look for this word. */
const SUCCESS = 'success\n';

/** What weather stations send to a server of one's own. */
@Route('')
@Tags('Weather stations')
@Hidden()
export class WeatherController extends Controller {
  /** When the points were stored, for the log. */
  storedMs?: number;

  constructor(private readonly messages: MessagesService) {
    super();
  }

  /** Takes a report of an Ecowitt station. The key is in the path: stations send no header. */
  @Post('in/ecowitt/{key}')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The report is stored')
  async takeEcowitt(@Path() key: string, @Body() body: ProtocolBody, @Inject() caller: Caller): Promise<EmptyResponse> {
    return this.takeEcowittIn(key, 'si', body, caller);
  }

  /** The same with `raw` or `units=raw` behind it, which keeps the units of the station. */
  @Post('in/ecowitt/{key}/{units}')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The report is stored')
  async takeEcowittIn(
    @Path() key: string,
    @Path() units: string,
    @Body() body: ProtocolBody,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    void key; // it has identified the caller
    const stored = await this.messages.store(caller, 'ecowitt', { body, query: {}, units: readUnits(units, body) });
    this.storedMs = stored?.storedMs;
    return {};
  }

  /** The same with a path of the station behind it. */
  @Post('in/ecowitt/{key}/{units}/{report}')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The report is stored')
  async takeEcowittAt(
    @Path() key: string,
    @Path() units: string,
    @Path() report: string,
    @Body() body: ProtocolBody,
    @Inject() caller: Caller,
  ): Promise<EmptyResponse> {
    void report; // every report is read in the same way
    return this.takeEcowittIn(key, units, body, caller);
  }

  /** Takes a report in the protocol of Weather Underground. */
  @Get('weatherstation/updateweatherstation.php')
  @Security('credential', ['data:write'])
  @SuccessResponse(200, 'The report is stored')
  async takeWeatherUnderground(@Request() request: StationRequest, @Inject() caller: Caller): Promise<string> {
    const { query } = request;
    const units = readUnits('', query);
    const stored = await this.messages.store(caller, 'wunderground', { body: {}, query, units });
    this.storedMs = stored?.storedMs;
    return SUCCESS;
  }
}
