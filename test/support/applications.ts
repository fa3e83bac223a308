import { inTransaction } from '../../src/storage/transaction';
import { create } from './factories';
import type { Platform, TestUser } from './platform';

/** An application as its registration returns it. */
export interface RegisteredApplication {
  id: string;
  name: string;
  type: string;
  consumer_key: string;
  consumer_secret: string;
}

export const CALLBACK = 'https://weather.example.org/allowed';

/** Registers an application of the user. */
export async function registerApplication(
  user: Pick<TestUser, 'api'>,
  fields: Record<string, unknown> = {},
): Promise<RegisteredApplication> {
  const application = { name: 'Weather station', type: 'web', callback_url: CALLBACK, ...fields };
  return (await create(user, '/oauth/register_app', { application })).application;
}

/** Writes down that a user allows an application something, without the flow that leads to it; returns its id. */
export async function authorize(
  { container }: Pick<Platform, 'container'>,
  { user, application, expiresMs = null }: { user: TestUser; application: { id: string }; expiresMs?: number | null },
): Promise<string> {
  const grant = { userId: Number(user.id), applicationId: Number(application.id), scopes: ['read'], expiresMs };
  const authorization = await inTransaction(container.database.sequelize, (transaction) =>
    container.services.authorizations.allow(grant, transaction),
  );
  return String(authorization.id);
}
