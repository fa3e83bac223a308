import { randomUUID } from 'node:crypto';
import type { Container } from '../../container';
import type { Identity } from '../../platform/caller';
import { IdentityOutdated } from '../../platform/errors';
import { DataPointsController } from '../../resources/data-points/data-points.controller';
import type { DataPointsUpload, SensorsDataUpload } from '../../resources/data-points/data-points.request';
import { authorise, judgeRequest } from '../middlewares/authorise';
import { keyIn } from '../middlewares/bearer-token';
import { describeError } from '../middlewares/error-handler';
import { readMethod } from '../middlewares/legacy-requests';
import { limitRequests, type ResponseHeaders, showAllowance } from '../middlewares/limit-requests';
import { parseBody } from '../middlewares/parse-body';
import type { RecordedRequest } from '../middlewares/request-log';
import { type PlainUpload, routeOf, targetOf } from './plain-upload';

export interface UploadAnswer {
  status: number;
  body: object;
  storedMs?: number;
}

/** An upload with its answer, which has yet to be sent and recorded. */
export interface AnsweredUpload {
  answer: UploadAnswer;
  request: RecordedRequest;
}

/** An upload that turned out to be unusual, with its body if it was read: Express answers it. */
export class ForExpress {
  constructor(readonly parsed?: { body: unknown }) {}
}

/** Access to a body. */
export interface UploadBody {
  /** True if it is small for certain: its caller may be looked up later, in a batch. */
  isSurelySmall: boolean;
  /** Reads it, charged to a user. */
  read(userId: number | undefined): Buffer | Promise<Buffer>;
}

/** Answers plain uploads exactly like Express, with the same lookups, policy, controller and errors. */
export class UploadAnswers {
  constructor(
    private readonly container: Pick<Container, 'services' | 'requestLimit' | 'metrics' | 'logger' | 'database'>,
  ) {}

  /** The answer to an upload, which may be an error. Sets the headers that belong to it. */
  async respond(
    upload: PlainUpload,
    body: UploadBody,
    response: ResponseHeaders,
  ): Promise<AnsweredUpload | ForExpress> {
    const startedMs = performance.now();
    const requestId = randomUUID();
    const { metrics } = this.container;
    let answer: UploadAnswer | ForExpress;
    try {
      answer = await this.answer(upload, body, response);
    } catch (error) {
      answer = await describeError(error, response, requestId, this.container);
    }
    if (answer instanceof ForExpress) return answer;
    metrics.plainUploads.inc();
    const { storedMs } = answer;
    return { answer, request: { requestId, method: 'POST', startedMs, target: () => targetOf(upload, storedMs) } };
  }

  /**
   * In the same order as Express: errors of the body come before those of the credential, and are not counted. Throws
   * the client's error.
   */
  private async answer(
    upload: PlainUpload,
    { isSurelySmall, read }: UploadBody,
    response: ResponseHeaders,
  ): Promise<UploadAnswer | ForExpress> {
    let caller: Identity | null | undefined = this.lookUp(upload);
    if (!caller && !isSurelySmall) caller = await this.find(upload);
    if (caller === null) return new ForExpress();
    const body = parseBody(await read(caller?.userId), upload.format);
    caller ??= await this.find(upload);
    if (caller === null || isUnusual(body, upload)) return new ForExpress({ body });
    const { requestLimit } = this.container;
    if (requestLimit.isOn) await limitRequests(requestLimit, `user:${caller.userId}`, response);
    try {
      return await this.store(upload, body, caller, response);
    } catch (error) {
      if (!caller.isRemembered) throw error;
      // The credential may have expired or changed since, and everything else may be wrong because of that.
      const present = await this.find(upload);
      if (present === null) return new ForExpress({ body });
      if (error instanceof IdentityOutdated) return this.store(upload, body, present, response);
      authoriseUpload(present, upload);
      throw error;
    }
  }

  /**
   * The caller, if they are cached. Not if the upload is charged before it is stored, nor if their key did not reach
   * the sensor when it was cached: it may by now.
   */
  private lookUp(upload: PlainUpload): Identity | undefined {
    const { services, requestLimit } = this.container;
    if (requestLimit.isOn || services.dataPoints.isLimited) return undefined;
    const caller = (upload.by === 'session' ? services.sessions : services.bearerTokens).lookUp(upload.secret);
    return caller && judgeRequest(caller.credential, operationOf(upload), upload.sensorId) === 'allowed'
      ? caller
      : undefined;
  }

  /** Null if it is unknown, or cannot be looked up at the moment: Express finds out, and counts the visitor. */
  private async find({ secret, by }: PlainUpload): Promise<Identity | null> {
    const { sessions, bearerTokens } = this.container.services;
    try {
      return await (by === 'session' ? sessions : bearerTokens).find(secret);
    } catch {
      return null;
    }
  }

  private async store(
    upload: PlainUpload,
    body: unknown,
    caller: Identity,
    response: ResponseHeaders,
  ): Promise<UploadAnswer> {
    authoriseUpload(caller, upload);
    const { sensorId } = upload;
    const { dataPoints, clock, dataExport } = this.container.services;
    const controller = new DataPointsController(dataPoints, clock, dataExport);
    // The controller's own readers check the bodies: tsoa's validation omits them as well.
    const stored =
      sensorId === undefined
        ? await controller.uploadSensorsData(body as SensorsDataUpload, caller)
        : await controller.uploadData(sensorId, body as DataPointsUpload, caller);
    showAllowance(response, controller.allowance);
    return { status: controller.getStatus() ?? 200, body: stored, storedMs: controller.storedMs };
  }
}

function authoriseUpload({ credential }: Identity, upload: PlainUpload): void {
  authorise(credential, operationOf(upload), upload.sensorId);
}

function operationOf(upload: PlainUpload) {
  return { requires: 'data:write', method: 'post', path: routeOf(upload) } as const;
}

/** True if a body names another method, or a second credential. */
function isUnusual(body: unknown, { by }: PlainUpload): boolean {
  if (readMethod(body) !== undefined || keyIn(body) !== undefined) return true;
  return by === 'bearer' && Object(body).session_id !== undefined;
}
