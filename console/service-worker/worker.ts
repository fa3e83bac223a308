import { acknowledge, open, readMessage, shownAs, targetsOf } from './messages';
import { answerFor, removeOtherVersions, store } from './shell';

declare const self: ServiceWorkerGlobalScope;

// A new version waits until no page of the one before is open, so that each page keeps its own files.
self.addEventListener('install', (event) => event.waitUntil(store(self.registration.scope)));

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOtherVersions(self.registration.scope).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const answer = answerFor(event.request, self.registration.scope);
  if (answer) event.respondWith(answer);
});

self.addEventListener('push', (event) => {
  const message = readMessage(event.data);
  event.waitUntil(self.registration.showNotification(message.title, shownAs(message)));
});

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  const targets = targetsOf(notification.data, self.registration.scope);
  notification.close();
  const { acknowledgeUrl, url } = targets;
  const mustAcknowledge = action === 'acknowledge' && acknowledgeUrl !== undefined;
  event.waitUntil(mustAcknowledge ? acknowledge(self, acknowledgeUrl) : open(self, url));
});
