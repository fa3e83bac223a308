import {
  Body,
  Controller,
  Hidden,
  Inject,
  OperationId,
  Post,
  Request,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Caller } from '../../platform/caller';
import { type HeadedRequest, type ProtocolBody, readVersion1 } from './protocols.request';
import type { RemoteWriteService } from './remote-write.service';

/** The receiver of Prometheus remote write 1.0 (https://prometheus.io/docs/specs/prw/remote_write_spec/). */
@Route('api/v1/write')
@Tags('Prometheus')
@Hidden()
export class RemoteWriteController extends Controller {
  /** When the points were stored, for the log. */
  storedMs?: number;

  constructor(private readonly remoteWrite: RemoteWriteService) {
    super();
  }

  /** Stores the samples of a message. 415 for version 2.0, so that senders fall back to 1.0. */
  @Post()
  @Security('credential', ['data:write'])
  @OperationId('writePrometheus')
  @SuccessResponse(204, 'The samples are stored')
  async writeSamples(
    @Body() body: ProtocolBody,
    @Request() request: HeadedRequest,
    @Inject() caller: Caller,
  ): Promise<void> {
    const { storedMs } = await this.remoteWrite.write(caller, readVersion1(body, request));
    this.storedMs = storedMs;
    this.setStatus(204);
  }
}
