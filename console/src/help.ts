/** What explains a page of the console, under `/docs/`, by the beginning of the page's path. The first match counts. */
export const HELP: readonly (readonly [path: string, section: string])[] = [
  ['/sensors/:id/triggers', 'expressions#when-a-trigger-fires'],
  ['/sensors/:id/data', 'console#files'],
  ['/sensors/:id', 'console#charts'],
  ['/reports/alerts', 'changing-rules#noise'],
  ['/report', 'reports'],
  ['/dashboards', 'dashboards'],
  ['/connect', 'ways-in#what-do-you-have'],
  ['/series', 'ways-in#series'],
  ['/sources/:id/messages', 'mqtt#what-came-in-lately'],
  ['/sources', 'mqtt#a-source'],
  ['/triggers/:id', 'console#the-rule-builder'],
  ['/triggers', 'alerts#the-fields-of-a-trigger'],
  ['/alerts', 'alerts#episodes'],
  ['/mutes', 'alerts#mutes'],
  ['/notifications', 'console#channels'],
  ['/deliveries', 'webhooks#how-responses-are-handled'],
  ['/events', 'reference/events'],
  ['/environments/:id', 'console#floor-plans'],
  ['/environments', 'console#floor-plans'],
  ['/services', 'services'],
  ['/account', 'console#security'],
  ['', 'console#pages'],
];

/** The address under `/docs/` of the help for a page. */
export function helpOf(path: string): string {
  const isAt = ([start]: readonly [string, string]) => new RegExp(`^${start.replace(':id', '[^/]+')}`).test(path);
  return HELP.find(isAt)?.[1] ?? '';
}
