import { all, api, ask, type Records } from '../../api';
import { LOADERS } from '../names';

export type EventNotification = Records['EventNotificationView'];
export type Kind = Records['EventView'];

/** The events, the event notifications of the user, and the names of what these are limited to. */
export async function loadEvents() {
  const [kinds, connections, notifications] = await Promise.all([
    all(async (query) => (await ask(api.get('/events', { params: { query } }))).events),
    all(async (query) => (await ask(api.get('/events/notifications', { params: { query } }))).event_notifications),
    all(async (query) => (await ask(api.get('/notifications', { params: { query } }))).notifications),
  ]);
  const kindOf = new Map(kinds.map((kind) => [kind.name, kind]));
  const limits = new Set(connections.map(({ source_id, event }) => source_id && kindOf.get(event)?.source));
  const sources = await Promise.all([...limits].map((kind) => (kind ? sourcesOf(kind) : [])));
  return { kinds, kindOf, connections, notifications, sources: new Map(sources.flat()) };
}

/** The names of the things of a kind, by their kind and id. */
async function sourcesOf(kind: keyof typeof LOADERS) {
  return (await LOADERS[kind]()).map(([id, name]) => [kind + id, name] as const);
}

export type ShownEvents = Awaited<ReturnType<typeof loadEvents>> & { reload: () => void };
