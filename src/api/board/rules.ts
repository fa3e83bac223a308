import type { BeforeHook } from '@bull-board/api/typings/app';

/** The permitted changes: each has an effect, and can neither lose nor double anything (docs/decisions/0017). */
const ALLOWED_CHANGES: ReadonlySet<string> = new Set([
  'put /api/queues/pause',
  'put /api/queues/resume',
  'put /api/queues/:queueName/pause',
  'put /api/queues/:queueName/resume',
  'put /api/queues/:queueName/retry/:queueStatus',
  'put /api/queues/:queueName/promote',
  'put /api/queues/:queueName/clean/:queueStatus',
  'put /api/queues/:queueName/empty',
  'put /api/queues/:queueName/:jobId/retry',
  'put /api/queues/:queueName/:jobId/promote',
  'put /api/queues/:queueName/:jobId/clean',
]);

const MESSAGE =
  'The board pauses and resumes queues, and retries, promotes and removes jobs. All else is up to the rows in MySQL, the API and the settings.';

/** Refuses changes that would have no lasting effect, or would add payloads that the platform did not write. */
export const refuseOtherChanges: BeforeHook = ({ method, route, request }) => {
  const isAllowed = method === 'get' || ALLOWED_CHANGES.has(`${method} ${route}`);
  // Completed jobs have nothing left to do.
  const status: unknown = request.params.queueStatus;
  if (isAllowed && !(route.endsWith('/retry/:queueStatus') && status !== 'failed')) return;
  return { allow: false, status: 403, errorKey: 'ERRORS.FORBIDDEN', message: MESSAGE };
};
