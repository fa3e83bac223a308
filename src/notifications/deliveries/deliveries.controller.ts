import {
  Controller,
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
import { secretsFor } from '../../access/credential.policy';
import type { ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type DeliveryListQuery, readDeliveryFilter } from './deliveries.request';
import type { DeliveriesService } from './deliveries.service';
import {
  type DeliveriesResponse,
  type DeliveryInFullResponse,
  type DeliveryResponse,
  toDeliveryInFullView,
  toDeliveryView,
} from './delivery.view';
import type { RedeliveriesService } from './redeliveries.service';

@Route('deliveries')
@Tags('Deliveries')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class DeliveriesController extends Controller {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly redeliveries: RedeliveriesService,
  ) {
    super();
  }

  /**
   * Lists the deliveries of your notifications, sent, pending or failed: oldest first, or newest first with
   * `sort=DESC`. A page with more than 32 MB of text is refused with 400: ask for fewer per page.
   * @summary List deliveries
   */
  @Get()
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of deliveries')
  @Response<ErrorBody>(400, 'Invalid input')
  async listDeliveries(@Queries() query: DeliveryListQuery, @Inject() caller: Caller): Promise<DeliveriesResponse> {
    const list = await this.deliveries.list(caller.userId, readDeliveryFilter(query), readPage(query), query.sort);
    const secrets = secretsFor(caller.credential);
    return { deliveries: list.items.map((item) => toDeliveryView(item, secrets)), total: list.total };
  }

  /**
   * Returns a delivery with every attempt made so far, and with the beginning of what each sent and what came back.
   * @summary Get a delivery
   */
  @Get('{id}')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'The delivery')
  @Response<ErrorBody>(404, 'You have no such delivery')
  async getDelivery(@Path() id: string, @Inject() caller: Caller): Promise<DeliveryInFullResponse> {
    const found = await this.deliveries.find(caller.userId, readId(id, 'delivery'));
    return { delivery: toDeliveryInFullView(found, secretsFor(caller.credential)) };
  }

  /**
   * Sends a delivery again, with the same `webhook-id`, to the current destination of its notification. The schedule
   * of attempts starts over. With `RATE_LIMIT_TESTS` and `MAIL_PER_USER_HOUR` the operator limits how often.
   * @summary Redeliver a delivery
   */
  @Post('{id}/redeliver')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The delivery is pending again')
  @Response<ErrorBody>(404, 'You have no such delivery')
  @Response<ErrorBody>(409, 'The notification is switched off, or the recipient of its mails does not want them', {
    error: 'the notification is switched off: switch it on first',
    code: 'conflict',
  })
  async redeliver(@Path() id: string, @Inject() caller: Caller): Promise<DeliveryResponse> {
    const deliveryId = readId(id, 'delivery');
    await this.redeliveries.redeliver(caller.userId, deliveryId);
    const found = await this.deliveries.find(caller.userId, deliveryId);
    return { delivery: toDeliveryView(found, secretsFor(caller.credential)) };
  }
}
