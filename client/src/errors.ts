import type { components } from './generated/api';

type ErrorBody = components['schemas']['ErrorBody'];

/** A response that is not 2xx, with what the platform says about it. */
export class ApiError extends Error {
  /** The stable name of the error, for programs. */
  readonly code: ErrorBody['code'] | 'unknown';
  /** What is wrong, by field; only for input errors. */
  readonly fields: Record<string, string>;

  constructor(
    readonly status: number,
    body: unknown,
    /** Seconds after which the platform wants to be asked again. */
    readonly retryAfter?: number,
  ) {
    const { error, code, fields } = Object(body) as Partial<ErrorBody>;
    super(error ?? `the platform answered ${status}`);
    this.name = 'ApiError';
    this.code = code ?? 'unknown';
    this.fields = fields ?? {};
  }
}

/** The platform has ended a stream, and it would do so again: access to a sensor, the session or the key is gone. */
export class StreamEnded extends Error {
  constructor(readonly reason: string) {
    super(`the stream has ended: ${reason}`);
    this.name = 'StreamEnded';
  }
}
