import assert from 'node:assert/strict';
import type { CDPSession, Page, Worker } from 'playwright-core';
import { until } from './until';

/** The service worker of a page, and what a push service and a person do with it. */
export interface RunningServiceWorker {
  worker: Worker;
  /** Delivers a push, as the browser does after it has decrypted it, and waits until the worker has its event. */
  push(data: string): Promise<void>;
  /** The notifications that are shown now. */
  shown(): Promise<ShownNotification[]>;
  /** Clicks the shown notification with that tag, or one of its actions, and waits until the worker is done. */
  click(tag: string, action: string): Promise<void>;
}

export interface ShownNotification {
  title: string;
  body: string;
  tag: string;
  requireInteraction: boolean;
  actions: { action: string; title: string }[];
}

interface Registration {
  registrationId: string;
  scopeURL: string;
  isDeleted: boolean;
}

/** Waits until the service worker of the page is active and answers its requests. */
export async function serviceWorkerOf(page: Page): Promise<RunningServiceWorker> {
  const session = await page.context().newCDPSession(page);
  const registrations: Registration[] = [];
  session.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations));
  await session.send('ServiceWorker.enable');
  await until('the service worker answers', () =>
    page.evaluate<boolean>('navigator.serviceWorker.controller?.state === "activated"'),
  );
  await until('the registration is known', () => registrations.length > 0);
  const worker = page.context().serviceWorkers()[0] ?? assert.fail('no service worker runs');
  await worker.evaluate('self.pushes = 0; self.addEventListener("push", () => { self.pushes += 1; });');
  return {
    worker,
    push: (data) => deliver(session, registrations, worker, data),
    shown: () =>
      worker.evaluate(`self.registration.getNotifications().then((all) =>
        all.map(({ title, body, tag, requireInteraction, actions }) =>
          ({ title, body, tag, requireInteraction, actions: actions.map(({ action, title }) => ({ action, title })) })))`),
    click: (tag, action) => click(worker, tag, action),
  };
}

const AGAIN_MS = 10_000;

/** A busy browser loses pushes of this command now and then: it is repeated, as a push service does. */
async function deliver(
  session: CDPSession,
  registrations: readonly Registration[],
  worker: Worker,
  data: string,
): Promise<void> {
  const { registrationId, scopeURL } = registrations.filter(({ isDeleted }) => !isDeleted).at(-1) ?? assert.fail();
  const { origin } = new URL(scopeURL);
  const pushes = () => worker.evaluate<number>('self.pushes');
  const before = await pushes();
  let sentMs = 0;
  await until('the worker has the push', async () => {
    if (Date.now() - sentMs > AGAIN_MS) {
      sentMs = Date.now();
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    }
    return (await pushes()) > before;
  });
}

/** A headless browser has no place where a notification could be clicked: the event of the click is made here. */
async function click(worker: Worker, tag: string, action: string): Promise<void> {
  await worker.evaluate(
    `(async () => {
      const [notification] = await self.registration.getNotifications({ tag: ${JSON.stringify(tag)} });
      const event = new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(action)} });
      let done;
      // The browser's own waitUntil takes only events of the browser.
      Object.defineProperty(event, 'waitUntil', { value: (work) => { done = work; } });
      self.dispatchEvent(event);
      await done;
    })()`,
  );
}
