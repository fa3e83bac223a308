/** The payload of a push, as `src/notifications/delivery/channels/push-message.ts` writes it. */
interface Message {
  title: string;
  text: string;
  tag: string;
  url: string;
  acknowledge_url?: string;
  state: string;
  severity: string;
}

/** The links of a notification that is shown. */
interface Targets {
  url: string;
  acknowledgeUrl?: string | undefined;
}

/** TypeScript does not know all options of notifications yet. */
interface ShownOptions extends NotificationOptions {
  renotify?: boolean;
  actions?: readonly { action: string; title: string }[];
}

/** Its few texts, in the language of the browser: a service worker cannot read the user's choice. */
const TEXTS = /^de/i.test(navigator.language)
  ? {
      platform: 'Sensordatenplattform',
      unreadable: 'Es ist etwas passiert.',
      acknowledge: 'Bestätigen',
      open: 'Öffnen',
    }
  : {
      platform: 'Sensor data platform',
      unreadable: 'Something has happened.',
      acknowledge: 'Acknowledge',
      open: 'Open',
    };

/** Every push must show something; this is for one that cannot be read. */
const UNREADABLE: Message = {
  title: TEXTS.platform,
  text: TEXTS.unreadable,
  tag: '',
  url: '',
  state: 'none',
  severity: 'warning',
};

/** The message of a push. */
export function readMessage(data: PushMessageData | null): Message {
  try {
    const read: unknown = data?.json();
    return typeof read === 'object' && read !== null ? { ...UNREADABLE, ...read } : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/** How a message is shown: a critical one stays until it is answered, and the end of an episode makes no sound. */
export function shownAs({ text, tag, state, severity, url, acknowledge_url }: Message): ShownOptions {
  const isFiring = state === 'firing';
  const acknowledge = { action: 'acknowledge', title: TEXTS.acknowledge };
  const open = { action: 'open', title: TEXTS.open };
  return {
    body: text,
    icon: 'icons/icon-192.png',
    ...(tag !== '' && { tag, renotify: state !== 'resolved' }),
    requireInteraction: isFiring && severity === 'critical',
    data: { url, acknowledgeUrl: acknowledge_url } satisfies Targets,
    actions: acknowledge_url === undefined ? [open] : [acknowledge, open],
  };
}

/** The http and https links of a clicked notification. */
export function targetsOf(data: unknown, root: string): Targets {
  const { url, acknowledgeUrl } = (data ?? {}) as Partial<Targets>;
  return { url: webUrl(url) ?? root, acknowledgeUrl: webUrl(acknowledgeUrl) };
}

function webUrl(text: unknown): string | undefined {
  try {
    const { protocol, href } = new URL(String(text));
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Acknowledges by a POST, which needs no session. If that fails, opens the page of the link, which says why. */
export async function acknowledge(worker: ServiceWorkerGlobalScope, url: string): Promise<void> {
  if (await isAcknowledged(worker, url)) return;
  await worker.clients.openWindow(url);
}

/** The policy of the console allows requests to its own origin only. */
async function isAcknowledged({ location }: ServiceWorkerGlobalScope, url: string): Promise<boolean> {
  if (new URL(url).origin !== location.origin) return false;
  try {
    return (await fetch(url, { method: 'POST', credentials: 'omit', referrerPolicy: 'no-referrer' })).ok;
  } catch {
    return false;
  }
}

/** Shows a page: in a window of the console if one is open, otherwise in a new one. */
export async function open({ clients, location }: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const [first] = await clients.matchAll({ type: 'window' });
  if (first && new URL(url).origin === location.origin) {
    try {
      await first.focus();
      await first.navigate(url);
      return;
    } catch {
      // The window may not be navigated: it belongs to another version.
    }
  }
  await clients.openWindow(url);
}
