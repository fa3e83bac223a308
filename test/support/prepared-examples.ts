import {
  acknowledgeToken,
  recipientToken,
  type TokenOwner,
} from '../../src/notifications/notifications/recipient-token';
import { buildAlarm } from './alarm';
import { makeExport } from './archives';
import type { ComposedRequest } from './composed-request';
import type { Estate } from './estate';
import { buildGroup, buildNotification, upload } from './factories';
import { invite } from './invitations';
import { recordMails } from './mails';
import type { Platform, TestUser } from './platform';
import { setUpTotp, totpCode } from './second-factor';

/** A passkey is made and used by a browser: `test/browser/console-second-factor.test.ts`. */
export const OF_BROWSERS = ['addPasskey', 'loginByPasskey'];

/** A provider that no example asks. */
export const OIDC = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'examples', OIDC_CLIENT_SECRET: 'not asked' };

type Prepare = (
  request: ComposedRequest,
  estate: Estate,
  platform: Platform,
) => Promise<ComposedRequest> | ComposedRequest;

/** Operations whose examples need more than the ids of an estate: an account, a secret, a confirmed address, a service that learns. */
export const PREPARED: Readonly<Record<string, Prepare>> = {
  // A sensor cannot be connected to itself, and users can neither share with themselves nor block themselves.
  connectSensor: (request, { ids }) => withBody(request, { sensor: { id: ids['used sensor'] } }),
  shareSensor: (request, { ids }) => withBody(request, { user: { id: ids.reader } }),
  blockUser: (request, { ids }) => withBody(request, { user: { id: ids.reader } }),
  inviteToGroup: withInvited,
  inviteToSensor: withInvited,
  getInvitation: withInvitation,
  acceptInvitation: withInvitation,
  declineInvitation: withInvitation,
  unblockUser: async (request, { user, ids }) => {
    await user.api.post('/users/blocked', { user: { id: ids.reader } });
    return { ...request, path: `/users/blocked/${ids.reader}` };
  },
  previewNotification: (request, { ids }) => withBody(request, { id: ids.notification, firing_id: ids.firing }),
  disconnectNotificationFromTrigger: async (request, { user, ids }) => {
    const notification = { id: ids.notification };
    await user.api.post(`/triggers/${ids.trigger}/notifications`, { notification });
    return request;
  },
  downloadExport: async (request, { user }, platform) => {
    for (const { id } of (await user.api.get('/exports')).body.exports) await user.api.delete(`/exports/${id}`);
    const { id, file } = await makeExport(platform, user);
    return { ...request, path: `/exports/${id}/file`, query: { token: new URL(file).searchParams.get('token') } };
  },
  createImport: (request) => ({ ...request, body: 'PK, and no zip' }),
  getShadow: withShadow,
  deleteShadow: withShadow,
  switchToShadow: withShadow,
  login: async (request, { user }, platform) => {
    await platform.query('DELETE FROM passkeys WHERE user_id = ?', [user.id]);
    return withBody(request, { username: user.username, password: user.password });
  },
  beginTotp: withProof,
  makeRecoveryCodes: withProof,
  beginPasskey: withProof,
  removePasskey: withProof,
  linkIdentity: withProof,
  confirmTotp: async (request, { user }) => {
    const { body } = await user.api.post('/second_factors/totp', { current_password: user.password });
    return withBody(request, { otp: totpCode(body.secret, Date.now()) });
  },
  removeTotp: async (request, estate) => {
    await estate.user.api.post('/second_factors/totp/remove', { current_password: estate.user.password });
    await setUpTotp(estate.user, { now: () => Date.now() });
    return withProof(request, estate);
  },
  changePassword: (request, { user }) => withBody(request, { current_password: user.password }),
  updateUser: (request, { user }) => {
    const { user: fields } = Object(request.body);
    return withBody(request, { user: { ...fields, current_password: user.password } });
  },
  requestPasswordReset: (request, { user }) => withBody(request, accountOf(user)),
  resetPassword: async (request, { user }, platform) => withBody(request, { token: await resetToken(user, platform) }),
  applyRules: async (request, { user }) => {
    const { digest } = (await user.api.post('/rules/plan?days=0', request.body)).body.plan;
    return { ...request, query: { digest } };
  },
  getRuleSet: async (request, { user }) => {
    const document = { set: 'cold-store', triggers: [{ name: 'too warm', inactivity: 60 }] };
    const { digest } = (await user.api.post('/rules/plan?days=0', document)).body.plan;
    await user.api.post(`/rules/apply?digest=${digest}`, document);
    return request;
  },
  updateDashboard: async (request, { user, ids }) => {
    const { version } = (await user.api.get(`/dashboards/${ids.dashboard}`)).body.dashboard;
    return withBody(request, { dashboard: { ...Object(request.body).dashboard, version } });
  },
  getPublicDashboard: withPublicToken,
  readPublicTile: withPublicToken,
  readTilePlan: withPlan,
  readPublicTilePlan: async (request, estate) => withPublicToken(await withPlan(request, estate), estate),
  manualLearn: async (request, { user, ids }) => {
    const service = { name: 'state_recognition_service' };
    const made = await user.api.post(`/sensors/${ids.sensor}/services`, { service });
    await upload(user, ids.sensor, { value: 5, date: 1_795_229_530 });
    return { ...request, path: `/sensors/${ids.sensor}/services/${made.body.service.id}/manualLearn` };
  },
  redeliver: withConfirmedAddress,
  redeliverNotification: withConfirmedAddress,
  testNotification: withConfirmedAddress,
  changeSensors: (request, { ids }) =>
    withBody(request, { action: { connect_trigger: { id: ids.trigger, notifications: [ids.notification] } } }),
  unsubscribe: withMailToken,
  confirmAddress: withMailToken,
  acknowledgeByMail: withAlertToken,
  muteByLink: withAlertToken,
  requestConfirmation: async (request, { user }) => {
    const id = await buildNotification(user, { type: 'email', destination: `friend-of-${user.username}@example.org` });
    return { ...request, path: `/notifications/${id}/request_confirmation` };
  },
};

async function withShadow(request: ComposedRequest, { user, ids }: Estate): Promise<ComposedRequest> {
  await user.api.post(`/triggers/${ids.trigger}/shadow`, { shadow: { hold: 60 } });
  return request;
}

/** With the token of the link in a mail about an alert that lasts. */
async function withAlertToken(
  request: ComposedRequest,
  { user }: Estate,
  platform: Platform,
): Promise<ComposedRequest> {
  const notifications = [{ type: 'email', destination: `${user.username}@example.org` }];
  const { sensorId } = await buildAlarm(user, { trigger: { name: 'to be acknowledged' }, notifications });
  await upload(user, sensorId, { value: 99 });
  await platform.settle();
  const [firing] = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body.firings;
  const token = acknowledgeToken(await recipientOf(user, platform), Number(firing.id));
  return { ...request, query: { token } };
}

async function withConfirmedAddress(
  request: ComposedRequest,
  { user }: Estate,
  platform: Platform,
): Promise<ComposedRequest> {
  await platform.anonymous.post(`/confirm?token=${recipientToken(await recipientOf(user, platform))}`);
  return request;
}

async function withPublicToken(request: ComposedRequest, { user, ids }: Estate): Promise<ComposedRequest> {
  const { body } = await user.api.post(`/dashboards/${ids.dashboard}/public`);
  return { ...request, path: request.path.replace(/^\/public\/\w+/, `/public/${body.dashboard.public}`) };
}

async function withInvited(request: ComposedRequest, _: Estate, platform: Platform): Promise<ComposedRequest> {
  return withBody(request, { invitation: { username: (await platform.user()).username } });
}

async function withInvitation(
  request: ComposedRequest,
  { user }: Estate,
  platform: Platform,
): Promise<ComposedRequest> {
  const other = await platform.user();
  const id = await invite(other, `/groups/${await buildGroup(other)}`, { username: user.username });
  return { ...request, path: request.path.replace(/^\/invitations\/\w+/, `/invitations/${id}`) };
}

async function withPlan(request: ComposedRequest, { user, ids }: Estate): Promise<ComposedRequest> {
  const tiles = [{ kind: 'plan', environment: ids.environment, x: 0, y: 0, w: 6, h: 4 }];
  await user.api.put(`/dashboards/${ids.dashboard}`, { dashboard: { tiles } });
  return request;
}

async function withMailToken(request: ComposedRequest, { user }: Estate, platform: Platform): Promise<ComposedRequest> {
  return { ...request, query: { token: recipientToken(await recipientOf(user, platform)) } };
}

/** The recipient of the mails that a user sends to their own address. */
async function recipientOf(user: TestUser, platform: Platform): Promise<TokenOwner> {
  const [recipient] = await platform.query(
    'SELECT id, address, secret FROM mail_recipients WHERE owner_id = ? AND address = ?',
    [user.id, accountOf(user).email],
  );
  const { id, address, secret } = Object(recipient);
  return { id, address, secret };
}

function withProof(request: ComposedRequest, { user }: Estate): ComposedRequest {
  return withBody(request, { current_password: user.password, otp: undefined });
}

function withBody(request: ComposedRequest, fields: object): ComposedRequest {
  return { ...request, body: { ...Object(request.body), ...fields } };
}

function accountOf({ username }: TestUser): { username: string; email: string } {
  return { username, email: `${username}@example.org` };
}

async function resetToken(user: TestUser, platform: Platform): Promise<string> {
  const mails = recordMails(platform);
  await platform.anonymous.post('/requestPasswordReset', accountOf(user));
  return /token=([\w-]+)/.exec(mails.sent[0]?.text ?? '')?.[1] ?? '';
}
