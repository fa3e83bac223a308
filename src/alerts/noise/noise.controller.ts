import { Controller, Get, Inject, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { type NoiseQuery, readReported, readTriedRange, type SuggestionsQuery } from './noise.request';
import type { AskedNoise, CountedNoise, NoiseService } from './noise.service';
import { type NoiseResponse, toNoiseResponse } from './noise.view';
import { type SuggestionsResponse, toSuggestionsResponse } from './suggestion.view';
import type { SuggestionsService } from './suggestions.service';

interface Reported {
  asked: AskedNoise;
  counted: CountedNoise;
}

@Route('reports')
@Tags('Reports')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class NoiseController extends Controller {
  /** One count for all pages of a table. */
  private counted?: Promise<Reported>;

  constructor(
    private readonly noise: NoiseService,
    private readonly suggestions: SuggestionsService,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * Reports how much noise the alerts that you see made in a range of at most 400 days: by triggers, sensors or notifications, by
   * days, and in all. The report counts the firings that are still kept, and deliveries to your notifications. With `.csv` at the end of the
   * path, or `Accept: text/csv`, it returns a line for each row, of all pages.
   * @summary Report on alerts
   */
  @Get('alerts')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The report, with a page of rows')
  @Response<ErrorBody>(400, 'Invalid input, or it takes longer than 30 seconds')
  async reportAlerts(@Queries() query: NoiseQuery, @Inject() caller: Caller): Promise<NoiseResponse> {
    this.counted ??= this.count(query, caller.userId);
    const { asked, counted } = await this.counted;
    return toNoiseResponse(await this.noise.page(counted, readPage(query)), asked);
  }

  /**
   * Suggests changes of one field (`hold`, `keep_firing_for`, `resolve_expression`, or the limit in the expression) of the
   * five triggers with most deliveries in the range, or of one trigger: at most two for each. Every change was tried on
   * the stored data by a backtest with `compare`, `acknowledge: as_recorded` and the present notifications and mutes. A
   * suggestion saves at least a fifth of the deliveries, or of the episodes if nothing was delivered. The changed rule
   * removes no alert that somebody acknowledged, and merges none into another one. Takes up to 30 seconds.
   * @summary Suggest quieter rules
   */
  @Get('alerts/suggestions')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The suggestions')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'You have no such trigger')
  @Response<ErrorBody>(429, 'A backtest of yours is running, or too many of other users are', {
    error: 'a backtest, plan or suggestion of yours is under way',
    code: 'rate_limited',
  })
  async suggestChanges(@Queries() query: SuggestionsQuery, @Inject() caller: Caller): Promise<SuggestionsResponse> {
    const range = readTriedRange(query, this.clock.now());
    const triggerId = query.trigger_id === undefined ? undefined : readId(query.trigger_id, 'trigger');
    return toSuggestionsResponse(await this.suggestions.suggest(caller.userId, range, triggerId), range);
  }

  private async count(query: NoiseQuery, userId: number): Promise<Reported> {
    const { by = 'trigger', timezone = await this.noise.timezoneOf(userId) } = query;
    const asked = { by, timezone, ...readReported(query, timezone, this.clock.now()) };
    return { asked, counted: await this.noise.count(userId, asked, { isOfTeam: true }) };
  }
}
