import { api, ask, type Records, ROOT } from './api';
import { t } from './language';

type Notification = Records['NotificationView'];

/** Why this browser cannot show alerts: it has no push, it must be installed first (iOS), or the user has refused. */
export type PushProblem = 'none' | 'unsupported' | 'install' | 'denied';

export function pushProblem(): PushProblem {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return isApplePhone() ? 'install' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : 'none';
}

/** Safari has push on a phone or tablet only for apps on the home screen. iPads call themselves Macs. */
function isApplePhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** The subscription of this browser; undefined if it has none. */
export async function findSubscription(): Promise<PushSubscription | undefined> {
  if (pushProblem() !== 'none') return undefined;
  const registration = await navigator.serviceWorker.getRegistration(`${ROOT}console/`);
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** Whether a notification pushes to this browser. */
export function isFor({ type, destination }: Notification, subscription: PushSubscription | undefined): boolean {
  return type === 'push' && destination === subscription?.endpoint;
}

/** Asks for permission, subscribes, and creates the notification. Must be called from a click. */
export async function subscribe(): Promise<Notification> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error(t('Notifications are not allowed for this site. Allow them in the settings of the browser.'));
  }
  const { push_key } = await ask(api.get('/notifications/push_key'));
  const subscription = await subscribeWith(push_key.public_key);
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error(t('The browser returned an incomplete subscription.'));
  const notification = {
    type: 'push' as const,
    name: browserName(navigator.userAgent),
    text: '',
    subscription: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } },
  };
  return (await ask(api.post('/notifications', { body: { notification } }))).notification;
}

async function subscribeWith(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const key = decode(publicKey);
  const before = await pushManager.getSubscription();
  if (before && isSame(before.options.applicationServerKey, key)) return before;
  // A subscription with the key of another installation cannot be used.
  await before?.unsubscribe();
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    throw new Error(t('The push service of the browser is switched off or cannot be reached. Try again later.'));
  }
}

/** Ends the subscription of this browser, if the deleted notification was its own. */
export async function unsubscribeFrom(notification: Notification): Promise<void> {
  const subscription = await findSubscription();
  if (isFor(notification, subscription)) await subscription?.unsubscribe();
}

function decode(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function isSame(buffer: ArrayBuffer | null, key: Uint8Array): boolean {
  const bytes = new Uint8Array(buffer ?? new ArrayBuffer(0));
  return bytes.length === key.length && bytes.every((byte, at) => byte === key[at]);
}

/** The order matters: browsers name others, too, and Android is a Linux. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg/, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** `Chrome on Android`, from a user agent. */
function browserName(userAgent: string): string {
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS) ?? t('Browser'), find(SYSTEMS)];
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}
