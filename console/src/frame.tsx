import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { api, ask, ROOT } from './api';
import { useFirings } from './firing-stream';
import { helpOf } from './help';
import { JoinRequests, useJoinRequests } from './join-requests';
import { chooseLanguage, chosenLanguage, LANGUAGE_NAMES, type Language, many, type PlainText, t } from './language';
import { href, usePlace } from './router';
import { signOut, useUser } from './session';
import { chooseTheme, chosenTheme, type Theme } from './theme';
import { Choices } from './ui/form';
import { useOnline } from './use-online';
import { useResource } from './use-resource';

const PARTS: readonly { title: PlainText; links: readonly (readonly [path: string, name: PlainText])[] }[] = [
  {
    title: 'Watch',
    links: [
      ['/', 'Overview'],
      ['/sensors', 'Sensors'],
      ['/dashboards', 'Dashboards'],
      ['/alerts', 'Alerts'],
    ],
  },
  {
    title: 'React',
    links: [
      ['/triggers', 'Triggers'],
      ['/notifications', 'Notifications'],
      ['/deliveries', 'Deliveries'],
      ['/events', 'Events'],
    ],
  },
  {
    title: 'Collect',
    links: [
      ['/series', 'Series'],
      ['/sources', 'MQTT sources'],
    ],
  },
  {
    title: 'Organise',
    links: [
      ['/groups', 'Groups'],
      ['/environments', 'Environments'],
      ['/services', 'Services'],
    ],
  },
];

/** The frame of every page: navigation, the signed-in user, and the theme. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = usePlace();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const firing = useFiringCount(path);
  return (
    <JoinRequests.Provider value={useJoinRequests()}>
      <a class="skip" href="#title">
        {t('Skip to the page')}
      </a>
      <Offline />
      <div class="frame">
        <header class="top">
          <Brand />
          <button
            type="button"
            class="button small-button"
            aria-expanded={open}
            aria-controls="side"
            onClick={() => setOpen(!open)}
          >
            {t(open ? 'Close' : 'Menu')}
            {!open && <Count n={firing} />}
          </button>
        </header>
        <aside class={`side ${open ? 'is-open' : ''}`} id="side" aria-label={t('Console')}>
          <Brand />
          <Navigation path={path} firing={firing} />
          <Foot path={path} />
        </aside>
        <main class="main">{children}</main>
      </div>
    </JoinRequests.Provider>
  );
}

function Navigation({ path, firing }: { path: string; firing: number }) {
  return (
    <nav class="nav" aria-label={t('Pages of the console')}>
      {PARTS.map(({ title, links }) => (
        <div key={title}>
          <h2>{t(title)}</h2>
          {links.map(([target, name]) => (
            <a key={target} href={href(target)} aria-current={isAt(path, target) ? 'page' : undefined}>
              {t(name)}
              {target === '/alerts' && <Count n={firing} />}
              {target === '/groups' && <RequestCount />}
            </a>
          ))}
        </div>
      ))}
    </nav>
  );
}

function isAt(path: string, target: string): boolean {
  if (target === '/') return path === '/';
  const isFound = path.startsWith(target) || path === `/reports${target}`;
  return isFound || (target === '/sensors' && /^\/(connect|report$)/.test(path));
}

/** The number of unacknowledged open alerts, updated at once. */
function useFiringCount(path: string): number {
  const firing = useResource(
    `firing at ${path}`,
    async (signal) => {
      const query = { state: 'firing' as const, acknowledged: false, repeats: false, per_page: 1, total: true };
      return (await ask(api.get('/firings', { params: { query }, signal }))).total ?? 0;
    },
    { everyMs: 15_000 },
  );
  useFirings(firing.reload);
  return firing.data ?? 0;
}

function Count({ n }: { n: number }) {
  return n > 0 ? (
    <span
      class="count"
      title={many(n, '{n} alert that nobody has acknowledged', '{n} alerts that nobody has acknowledged')}
    >
      {n}
    </span>
  ) : null;
}

/** The number of people who ask to join, and whom the user may accept. */
function RequestCount() {
  const n = useContext(JoinRequests).reduce((sum, { requests }) => sum + requests, 0);
  return n > 0 ? <span class="count calm">{n}</span> : null;
}

function Brand() {
  return (
    <a class="brand" href={href('/')}>
      <img src={`${ROOT}console/icon.svg`} alt="" />
      {t('Sensor data')}
    </a>
  );
}

function Foot({ path }: { path: string }) {
  const user = useUser();
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return (
    <div class="side-foot">
      <Choices<Theme>
        label={t('Colours')}
        value={theme}
        options={[
          ['auto', t('Auto')],
          ['light', t('Light')],
          ['dark', t('Dark')],
        ]}
        onValue={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
      <LanguageChoice />
      <span class="small quiet breakable">{user.username}</span>
      <div class="line spread small">
        <a href={href('/account')} aria-current={isAt(path, '/account') ? 'page' : undefined}>
          {t('Account')}
        </a>
        <button type="button" class="link" onClick={() => void signOut()}>
          {t('Sign out')}
        </button>
      </div>
      <div class="line spread small">
        <a href={`${ROOT}docs/${helpOf(path)}`} target="_blank" rel="noreferrer">
          {t('Help')}
        </a>
        <a href={`${ROOT}docs/reference`} target="_blank" rel="noreferrer">
          {t('API reference')}
        </a>
      </div>
    </div>
  );
}

function LanguageChoice() {
  return (
    <Choices<Language | 'auto'>
      label={t('Language')}
      value={chosenLanguage() ?? 'auto'}
      options={[['auto', t('Auto')], ...LANGUAGE_NAMES]}
      onValue={(language) => chooseLanguage(language === 'auto' ? undefined : language)}
    />
  );
}

function Offline() {
  if (useOnline()) return null;
  return (
    <div class="offline" role="status">
      {t('You are offline. This is the last data received; updates resume when you reconnect.')}
    </div>
  );
}
