export interface Guide {
  /** Under `/docs/`. */
  name: string;
  file: string;
  label: string;
  about: string;
  /** Heading of the part for contributors, which is left out. */
  until?: string;
}

export interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

const guide = (name: string, label: string, about: string, more: Partial<Guide> = {}): Guide => ({
  name,
  label,
  about,
  file: `docs/${name}.md`,
  ...more,
});

/** Guides in the order of the navigation. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      guide('start', 'Overview', 'What the platform does and promises', {
        file: 'README.md',
        until: 'Documentation',
      }),
      guide('tour', 'Tour', 'Five minutes with curl, from a new account to an alert'),
      guide(
        'compared',
        'Compared with others',
        'What it leaves out, and the words of ThingsBoard, Grafana and InfluxDB',
      ),
      guide('console', 'The console', 'Every page in the browser, from the first sensor to the first alert', {
        until: 'Develop',
      }),
      guide('dashboards', 'Dashboards', 'Tiles to look at, on a wall, and by a public link'),
      guide('reports', 'Reports', 'A week or a month of many sensors, to print and sign, and lists as CSV'),
    ],
  },
  {
    title: 'Collect data',
    guides: [
      guide('devices', 'Connect a device', 'A key for one device, and code for ESP32, Python and JavaScript'),
      guide('ways-in', 'Ways in', 'Telegraf, Home Assistant, Tasmota, LoRaWAN, weather stations, Prometheus'),
      guide('mqtt', 'MQTT', 'Messages of your own broker'),
      guide('live', 'Live data and formats', 'Streams, CSV, NDJSON, intervals and dates'),
    ],
  },
  {
    title: 'Coming from',
    guides: [
      guide('coming-from/influxdb', 'InfluxDB', 'Import points; words; what is different'),
      guide('coming-from/home-assistant', 'Home Assistant', 'Import the recorder with its statistics; words'),
      guide('coming-from/thingsboard', 'ThingsBoard', 'Import devices, telemetry and alarm rules; words'),
      guide('coming-from/grafana-alerting', 'Grafana alerting', 'Alert rules as text: a table and an example'),
    ],
  },
  {
    title: 'Write rules',
    guides: [
      guide('alerts', 'Alerts', 'Hold, repeat, acknowledge, escalate and mute'),
      guide('teams', 'Alerts in a group', 'Colleagues see, assign, acknowledge and mute them'),
      guide('expressions', 'Expressions', 'The language of rules: values, operators, functions, windows'),
      guide('recipes', 'Recipes', 'Rules for common needs, ready to copy'),
      guide('backtest', 'Backtests', 'When a rule would have fired'),
      guide('changing-rules', 'Changing a rule', 'Open alerts stay, versions can be restored, and rules can be text'),
      guide('services', 'Services', 'Sensors that are computed from other sensors'),
    ],
  },
  {
    title: 'Deliver alerts',
    guides: [
      guide('webhooks', 'Webhooks and emails', 'Requests, signatures, retries, texts, digests'),
      guide('channels', 'Channels', 'Slack, Teams, Discord, Telegram, ntfy, PagerDuty and others'),
      guide('templates', 'Templates', 'Your own request: method, headers and body'),
      guide('push', 'Push to browsers', 'Alerts on phones and desktops'),
      guide('no-alert', 'Why did I get no alert?', 'From what you see to its cause and what to do'),
    ],
  },
  {
    title: 'Build on it',
    guides: [
      guide('client', 'Typed client', 'The package for TypeScript and JavaScript', { file: 'client/README.md' }),
      guide('mcp', 'Agents and programs', 'Tools for language models (MCP), /llms.txt, guides as Markdown'),
      guide('oauth', 'Applications', 'Log in with this platform: OAuth 1.0a and OAuth 2'),
      guide('second-factor', 'Second factor', 'Authenticator apps, passkeys, recovery codes and sessions'),
      guide('audit', 'History', 'Who changed what, who signed in, and how to prove it'),
      guide('export-and-import', 'Export and import', 'Everything of an account as a file, and back'),
      guide('limits', 'Limits', 'Sizes, rates and retention'),
      guide('promises', 'Promises', 'What is guaranteed, and the tests that check it'),
      guide('glossary', 'Glossary', 'One word for one thing', { until: 'Retired words' }),
    ],
  },
  {
    title: 'Operate',
    guides: [
      guide('operate/install', 'Install with one file', 'A release by docker compose, without a clone'),
      guide('operate/kubernetes', 'Kubernetes', 'The chart: values, probes, upgrades, more workers'),
      guide('operate/deploy', 'Deployment', 'Docker compose, systemd, proxies and certificates'),
      guide('operate/settings', 'Settings', 'Every setting with its default'),
      guide('signing-in', 'Signing in', 'Users, groups and operators of your identity provider'),
      guide('operate/failures', 'What happens when', 'What the platform does when a part of it fails'),
      guide('operate/upgrade', 'Upgrade', 'Move to a newer version'),
      guide('compatibility', 'Compatibility', 'What a new version may change, and how long deprecated things stay'),
      guide('changelog', 'Changelog', 'What changed, version by version', { file: 'CHANGELOG.md' }),
      guide('operate/backup', 'Backup and restore', 'What to save, and how to bring it back'),
      guide('operate/monitoring', 'Monitoring', 'Metrics, alerts for Prometheus, a dashboard for Grafana'),
      guide('operate/logs', 'Logs', 'From a request to its delivery'),
      guide('operate/security', 'Entry points', 'Every way in and out, and what guards it'),
      guide('operate/admin', 'Command line', 'Commands for operators'),
      guide('operate/mysql', 'MySQL', 'Engines, settings, clusters and failures'),
      guide('operate/scaling', 'Scaling', 'What one machine does, and what comes after it'),
      guide('performance', 'Performance', 'Measured results, and how to measure them'),
    ],
  },
];

export const GUIDES: readonly Guide[] = GUIDE_GROUPS.flatMap(({ guides }) => guides);

export const ATTACHMENTS: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.yml': 'text/plain; charset=utf-8',
  '.json': 'application/json',
};
