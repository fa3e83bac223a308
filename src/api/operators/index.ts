import type { Express, Request, Response } from 'express';
import { QUEUE_NAMES } from '../../../jobs/queues';
import type { Container } from '../../container';
import type { OperatorActionName } from '../../operators/operator-actions';
import { InvalidInput } from '../../platform/errors';
import { withTimeout } from '../../platform/with-timeout';
import type { Words } from '../../platform/words/words';
import { logChanges, refuseForeignChanges, refuseLookers, roleOf } from '../board/guards';
import { hasOperators, requireLogin } from '../board/login';
import { requireOperatorAccount } from '../board/operator-account';
import type { OperatorSessions } from '../oidc/operator-sessions';
import { checkToken } from '../pages/form-token';
import { rootOf } from '../pages/page';
import { type PageParts, textIn } from '../pages/page-user';
import { operatorsPage, type QueueStatus } from './page';
import { PageWriter, sendWide } from './parts';
import { OperatorRoutes } from './routes';
import { installUserPages } from './users';

const PATH = '/admin';
const REDIS_WAIT_MS = 1_000;
const NOTIFICATIONS = 20;
const USERS = 10;
const CAUSES = 50;
const RECEIVERS = 50;
const ACTIONS = 20;
const QUARANTINED = 50;
/** Deliveries per step, so that a click is answered soon. */
const REDELIVERED_AT_ONCE = 1_000;

interface Act {
  name: OperatorActionName;
  /** Returns the number of affected deliveries or receivers. */
  run: (request: Request, container: Container) => Promise<number>;
  /** Shown afterwards. */
  said: (words: Words, count: number) => string;
}

/** Actions by the ends of their paths. */
const ACTS: ReadonlyMap<string, Act> = new Map([
  [
    'redeliver',
    {
      name: 'redeliver',
      run: async (request, { services }) => {
        const group = { receiver: textIn(request, 'receiver'), cause: textIn(request, 'cause') || undefined };
        const limit = { limit: REDELIVERED_AT_ONCE, isTrial: false };
        return (await services.operations.deliveryGroups.redeliver(group, limit)).redelivered;
      },
      said: (words, n) =>
        n === 1 ? words.t('One delivery will be sent again.') : words.t('{n} deliveries will be sent again.', { n }),
    },
  ],
  [
    'pause',
    {
      name: 'pause',
      run: async (request, { services }) => {
        await services.operations.pausedReceivers.pause(receiverIn(request), 'by the operators’ page');
        return 1;
      },
      said: (words) => words.t('The receiver is paused: its deliveries wait.'),
    },
  ],
  [
    'resume',
    {
      name: 'resume',
      run: async (request, { services }) => {
        await services.operations.pausedReceivers.resume(receiverIn(request));
        return 1;
      },
      said: (words) => words.t('The receiver is resumed.'),
    },
  ],
]);

interface OperatorParts {
  pages: PageParts;
  operators: OperatorSessions | undefined;
}

/** `/admin`, behind the board's logins. Does nothing if there is none. */
export function installOperatorsPage(app: Express, container: Container, { pages, operators }: OperatorParts): void {
  const { config, refusedLogins, logger } = container;
  const { boardLogins } = config;
  if (!hasOperators(boardLogins, operators)) return;
  const secret = secretOf(container);
  const logins = [requireLogin(boardLogins, refusedLogins, operators), requireOperatorAccount(container)];
  const guards = [...logins, logChanges(logger), refuseForeignChanges, refuseLookers];
  const routes = new OperatorRoutes(container, secret, { app, guards, parts: pages });
  routes.get(PATH, (request, response) => show(routes, request, response));
  for (const [name, act] of ACTS) {
    routes.post(`${PATH}/${name}`, async (request, response) => {
      checkToken(textIn(request, 'form_token'), secret, name);
      const { actions } = container.services.operations;
      const [operator, subject] = [response.locals.boardUser ?? '', textIn(request, 'receiver')];
      await actions.record({ operator, action: act.name, userId: null, subject });
      const count = await act.run(request, container);
      response.redirect(303, `${rootOf(request)}admin?done=${name}&count=${count}`);
    });
  }
  installUserPages(routes);
}

/** Made of the passwords, or with the platform's key if there are none. */
function secretOf({ config: { boardLogins }, secretBox }: Container): string {
  if (boardLogins.length === 0) return secretBox.sign('forms of operators').toString('hex');
  return boardLogins.map(({ user, password }) => `${user}:${password}`).join('\n');
}

async function show({ container, secret }: OperatorRoutes, request: Request, response: Response): Promise<void> {
  const writer = PageWriter.for(request);
  const [work, state] = await Promise.all([readWork(container), readState(container)]);
  const body = operatorsPage({
    ...work,
    ...state,
    secret,
    hasMetricsToken: container.config.metricsToken !== undefined,
    mayAct: roleOf(response) === 'act',
    writer,
    done: saidOf(request, writer.words),
  });
  sendWide(request, response, { title: writer.words.t('Operators'), body });
}

async function readWork({ services }: Container) {
  const { backlog, deliveryGroups, pausedReceivers } = services.operations;
  const [summary, partitions, users, notifications, causes, receivers] = await Promise.all([
    backlog.summary(),
    backlog.partitions(),
    backlog.users(USERS),
    backlog.waitingNotifications(NOTIFICATIONS),
    deliveryGroups.latestCauses({}, CAUSES),
    pausedReceivers.list(RECEIVERS),
  ]);
  return { summary, partitions, users, notifications, causes, receivers };
}

async function readState(container: Container) {
  const { actions: log, loadOfDay, storeSizes } = container.services.operations;
  const [queues, load, size, actions, quarantined, workers] = await Promise.all([
    readQueues(container),
    loadOfDay(),
    storeSizes.read(),
    log.latest(ACTIONS),
    container.quarantine.read(QUARANTINED),
    container.workerCount.count(),
  ]);
  return { queues, load, size, actions, quarantined, workers };
}

/** The link can come from anywhere: it selects a message of the page, and contains no text. */
function saidOf({ query }: Request, words: Words): string {
  const count = Number(query.count);
  return Number.isSafeInteger(count) ? (ACTS.get(String(query.done))?.said(words, count) ?? '') : '';
}

/** Undefined while Redis does not answer. */
async function readQueues({ queues }: Container): Promise<readonly QueueStatus[] | undefined> {
  const read = async (name: (typeof QUEUE_NAMES)[number]) => {
    const [counts, isPaused] = await Promise.all([
      queues[name].getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed'),
      queues[name].isPaused(),
    ]);
    const { wait = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
    return { name, waiting: wait + prioritized, active, delayed, failed, isPaused };
  };
  return withTimeout(REDIS_WAIT_MS, Promise.all(QUEUE_NAMES.map(read))).catch(() => undefined);
}

function receiverIn(request: Request): string {
  const receiver = textIn(request, 'receiver');
  if (receiver === '' || receiver.length > 255) throw new InvalidInput('name the receiver');
  return receiver;
}
