import { ROOT } from './api';
import { whenUserLeaves } from './session';

/** The service worker shows pushes, and the console while the platform cannot be reached. A browser may have none. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.register(`${ROOT}console/sw.js`, { updateViaCache: 'none' }).catch(() => {});
  whenUserLeaves(() => void closeNotifications());
}

/** Notifications name sensors and values, so the next user must not see them after a sign-out. */
async function closeNotifications(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(`${ROOT}console/`);
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
}
