import { ROOT } from '../api';
import { type PlainText, t, tx } from '../language';
import { href } from '../router';
import { useUser } from '../session';
import { later } from '../ui/later';
import { Page, Section } from '../ui/page';
import { Authorizations, BlockedUsers } from './account/access';
import { OwnApplications } from './account/applications';
import { Keys } from './account/keys';
import { DeleteAccount, Profile } from './account/profile';
import { Sessions } from './account/sessions';

const WaysIn = later(() => import('./account/factors/security').then((loaded) => loaded.WaysIn));
const Archives = later(() => import('./archives/archives').then((one) => one.Archives));
const History = later(() => import('./history/history').then((one) => one.History));

/** The parts of the page by their addresses below `/account`. */
const TABS: readonly (readonly [path: string, name: PlainText])[] = [
  ['', 'Profile'],
  ['security', 'Security'],
  ['keys', 'Keys'],
  ['applications', 'Applications'],
  ['blocked', 'Blocked people'],
  ['history', 'History'],
  ['export', 'Export and import'],
];

/** The user's own account: their details, and all access to it. */
export function AccountPage({ tab = '' }: { tab?: string }) {
  const { username, id } = useUser();
  const content = CONTENTS[tab] ?? CONTENTS[''];
  return (
    <Page title={t('Account')} lead={t('{username}, id {id}', { username, id })}>
      <nav class="tabs" aria-label={t('Parts of the account')}>
        {TABS.map(([path, name]) => (
          <a
            key={path}
            href={href(path ? `/account/${path}` : '/account')}
            aria-current={path === tab ? 'page' : undefined}
          >
            {t(name)}
          </a>
        ))}
      </nav>
      {content?.()}
    </Page>
  );
}

const CONTENTS: Readonly<Record<string, () => preact.JSX.Element>> = {
  '': () => (
    <>
      <Section title={t('About you')}>
        <Profile />
      </Section>
      <Section title={t('Delete the account')}>
        <p class="quiet">
          {t('Deletes your sensors, data, triggers and notifications as well. This cannot be undone.')}
        </p>
        <DeleteAccount />
      </Section>
    </>
  ),
  security: () => (
    <>
      <WaysIn />
      <Section title={t('Sessions')}>
        <p class="quiet">
          {t('Where you are signed in. End those that you do not know, and choose another password.')}
        </p>
        <Sessions />
      </Section>
    </>
  ),
  keys: () => (
    <Section title={t('Keys')}>
      <p class="quiet">{t('Devices and programs use keys, so that they need not know your password.')}</p>
      <Keys />
    </Section>
  ),
  applications: () => (
    <Section title={t('Applications')}>
      <Authorizations />
      <OwnApplications />
      <p class="small quiet">
        {tx('To write one of your own, {link}.', {
          link: <a href={`${ROOT}oauth/register_app`}>{t('register an application')}</a>,
        })}
      </p>
    </Section>
  ),
  blocked: () => (
    <Section title={t('Blocked people')}>
      <p class="quiet">{t('People you block cannot share sensors with you.')}</p>
      <BlockedUsers />
    </Section>
  ),
  history: () => (
    <Section title={t('History')}>
      <History />
    </Section>
  ),
  export: () => <Archives />,
};
