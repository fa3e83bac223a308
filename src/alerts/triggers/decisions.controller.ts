import { Controller, Get, Inject, Path, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import type { Caller } from '../../platform/caller';
import type { DecisionLog } from '../evaluation/decision-log';
import type { FiringsService } from '../firings/firings.service';
import type { HeldBy } from '../firings/held-by';
import { type DecisionsResponse, toDecisionView } from './decision.view';
import type { SensorTriggersService } from './sensor-triggers.service';

@Route('sensors')
@Tags('Sensor triggers')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class DecisionsController extends Controller {
  constructor(
    private readonly sensorTriggers: SensorTriggersService,
    private readonly log: DecisionLog,
    private readonly firings: FiringsService,
  ) {
    super();
  }

  /**
   * Shows why the trigger fired on this sensor, or why it did not: its last 100 decisions, newest first. They are kept
   * in memory for 7 days: the list is meant for finding mistakes, and may be incomplete. The list of firings is the
   * permanent record. Users who see the sensor, and the alerts of the trigger in a group, may read it as well.
   * @summary List the latest decisions of a trigger on a sensor
   */
  @Get('{id}/triggers/{trigger_id}/decisions')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The latest decisions')
  @Response<ErrorBody>(403, 'You do not own the sensor, and do not see the alerts of the trigger')
  @Response<ErrorBody>(404, 'The sensor or the trigger does not exist, or you cannot see it')
  @Response<ErrorBody>(503, 'The decisions cannot be read at the moment; see `Retry-After`')
  async listDecisions(
    @Path() id: string,
    @Path() trigger_id: string,
    @Inject() caller: Caller,
  ): Promise<DecisionsResponse> {
    const [sensorId, triggerId] = [readId(id, 'sensor'), readId(trigger_id, 'trigger')];
    const { sensorTrigger, isOwner } = await this.sensorTriggers.findSeen(caller.userId, sensorId, triggerId);
    const records = await this.log.read(sensorId, sensorTrigger.id);
    const fired = records.flatMap((record) => (record.fired ? record.decidedMs : []));
    const held = isOwner ? await this.firings.heldAt(sensorTrigger.id, fired) : new Map<number, HeldBy>();
    const decisions = records.map((record) => toDecisionView(record, held.get(record.decidedMs) ?? null));
    return { active: sensorTrigger.active, decisions };
  }
}
