import type { components } from './generated/api';

type ErrorBody = components['schemas']['ErrorBody'];

/** A response that is not 2xx, with the platform's message. */
export class ApiError extends Error {
  /** The stable name of the error, for programs. */
  readonly code: ErrorBody['code'] | 'unknown';
  /** The errors by field; only for input errors. */
  readonly fields: Record<string, string>;

  constructor(
    readonly status: number,
    body: unknown,
    /** Seconds after which the request may be retried. */
    readonly retryAfter?: number,
  ) {
    const { error, code, fields } = Object(body) as Partial<ErrorBody>;
    super(error ?? `the platform answered ${status}`);
    this.name = 'ApiError';
    this.code = code ?? 'unknown';
    this.fields = fields ?? {};
  }
}

/** The platform has ended a stream, and would do so again: access to a sensor, the session or the key has ended. */
export class StreamEnded extends Error {
  constructor(readonly reason: string) {
    super(`the stream has ended: ${reason}`);
    this.name = 'StreamEnded';
  }
}
