import { Controller, Get, Inject, Queries, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { readPeriods } from '../../points';
import { type SensorReportsResponse, toSensorReportsResponse } from './report.view';
import { readReportedSensors, type SensorReportQuery } from './reports.request';
import type { ReportsService } from './reports.service';

@Route('reports')
@Tags('Reports')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class ReportsController extends Controller {
  constructor(
    private readonly reports: ReportsService,
    private readonly clock: Clock,
  ) {
    super();
  }

  /**
   * Reports on sensors that you can see, by days, weeks or months of a time zone: lowest and highest value, mean, time
   * outside of the limits of your triggers, gaps, availability, and alerts. A page has up to `per_page` sensors, and at
   * most 10,000 periods of these. With `.csv` at the end of the path, or `Accept: text/csv`, it returns a line for each
   * sensor, period and field, of all pages.
   * @summary Report on sensors
   */
  @Get('sensors')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of reports')
  @Response<ErrorBody>(400, 'Invalid input, or it takes longer than 30 seconds')
  @Response<ErrorBody>(404, 'One of the sensors does not exist, or you cannot see it', {
    error: 'the sensor 42 does not exist',
    code: 'not_found',
  })
  async reportSensors(@Queries() query: SensorReportQuery, @Inject() caller: Caller): Promise<SensorReportsResponse> {
    const periods = readPeriods(query, this.clock.now());
    return toSensorReportsResponse(
      await this.reports.report(caller, readReportedSensors(query), periods, readPage(query)),
    );
  }
}
