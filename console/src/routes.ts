import type { ComponentType } from 'preact';

type Params = Record<string, string>;
type Load = () => Promise<ComponentType<Params>>;

/** The page of an address, with its parameters. */
export interface Route {
  load: Load;
  params: Params;
}

/** Pages take parameters by name; the table below passes the parameters of each path. */
function page<P extends Params>(load: () => Promise<ComponentType<P>>): Load {
  return load as unknown as Load; // the parameters are those of the path in the same line
}

const TABLE: readonly (readonly [path: string, load: Load])[] = [
  ['/', page(() => import('./pages/overview').then(({ OverviewPage }) => OverviewPage))],
  ['/sensors', page(() => import('./pages/sensors').then(({ SensorsPage }) => SensorsPage))],
  ['/sensors/:id', page(() => import('./pages/sensor').then(({ SensorPage }) => SensorPage))],
  ['/sensors/:id/data', page(() => import('./pages/sensor-data').then(({ SensorDataPage }) => SensorDataPage))],
  ['/sensors/:id/about', page(() => import('./pages/sensor-about').then(({ SensorAboutPage }) => SensorAboutPage))],
  ['/report', page(() => import('./pages/report').then(({ ReportPage }) => ReportPage))],
  ['/dashboards', page(() => import('./pages/dashboards').then(({ DashboardsPage }) => DashboardsPage))],
  ['/dashboards/:id', page(() => import('./pages/dashboard').then(({ DashboardPage }) => DashboardPage))],
  ['/connect', page(() => import('./pages/connect').then(({ ConnectPage }) => ConnectPage))],
  ['/connect/:name', page(() => import('./pages/connect/way-page').then(({ WayPage }) => WayPage))],
  ['/series', page(() => import('./pages/series').then(({ SeriesPage }) => SeriesPage))],
  ['/sources', page(() => import('./pages/sources').then(({ SourcesPage }) => SourcesPage))],
  [
    '/sources/:id/messages',
    page(() => import('./pages/sources/messages-page').then(({ MessagesPage }) => MessagesPage)),
  ],
  ['/sources/:id', page(() => import('./pages/sources/source-page').then(({ SourcePage }) => SourcePage))],
  ['/triggers', page(() => import('./pages/triggers').then(({ TriggersPage }) => TriggersPage))],
  ['/triggers/:id', page(() => import('./pages/trigger').then(({ TriggerPage }) => TriggerPage))],
  ['/sensors/:id/triggers/:trigger', page(() => import('./pages/why').then(({ WhyPage }) => WhyPage))],
  ['/deliveries', page(() => import('./pages/deliveries').then(({ DeliveriesPage }) => DeliveriesPage))],
  ['/deliveries/:id', page(() => import('./pages/delivery').then(({ DeliveryPage }) => DeliveryPage))],
  ['/notifications', page(() => import('./pages/notifications').then(({ NotificationsPage }) => NotificationsPage))],
  ['/notifications/:id', page(() => import('./pages/notification').then(({ NotificationPage }) => NotificationPage))],
  ['/events', page(() => import('./pages/events').then(({ EventsPage }) => EventsPage))],
  ['/groups', page(() => import('./pages/groups').then(({ GroupsPage }) => GroupsPage))],
  ['/groups/:id', page(() => import('./pages/group').then(({ GroupPage }) => GroupPage))],
  ['/invitations/:reference', page(() => import('./pages/invitation').then(({ InvitationPage }) => InvitationPage))],
  ['/environments', page(() => import('./pages/environments').then(({ EnvironmentsPage }) => EnvironmentsPage))],
  [
    '/environments/:id(/:tab)?',
    page(() => import('./pages/environment').then(({ EnvironmentPage }) => EnvironmentPage)),
  ],
  ['/services', page(() => import('./pages/services').then(({ ServicesPage }) => ServicesPage))],
  ['/services/:id', page(() => import('./pages/service').then(({ ServicePage }) => ServicePage))],
  ['/account(/:tab)?', page(() => import('./pages/account').then(({ AccountPage }) => AccountPage))],
  ['/alerts', page(() => import('./pages/alerts').then(({ AlertsPage }) => AlertsPage))],
  ['/reports/alerts', page(() => import('./pages/alert-report').then(({ AlertReportPage }) => AlertReportPage))],
  ['/mutes', page(() => import('./pages/mutes').then(({ MutesPage }) => MutesPage))],
];

const ROUTES = TABLE.map(([path, load]) => ({
  pattern: new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  load,
}));

/** The route of a path; undefined if there is none. */
export function findRoute(path: string): Route | undefined {
  for (const { pattern, load } of ROUTES) {
    const found = pattern.exec(path);
    if (found) return { load, params: { ...found.groups } };
  }
  return undefined;
}
