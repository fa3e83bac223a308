import { api, ask } from '../api';
import { t } from '../language';
import { go } from '../router';
import { Loaded, Page } from '../ui/page';
import { useResource } from '../use-resource';
import { Offer } from './invitations/received';

/** The page of a link. Visitors sign in first, and stay at the address. */
export function InvitationPage({ reference }: { reference: string }) {
  const path = { invitation: reference };
  const invitation = useResource(`invitation ${reference}`, async (signal) => {
    return (await ask(api.get('/invitations/{invitation}', { params: { path }, signal }))).invitation;
  });
  return (
    <Page title={t('Invitation')}>
      <Loaded resource={invitation}>
        {(found) => <Offer reference={reference} invitation={found} onDecline={() => go('/')} />}
      </Loaded>
    </Page>
  );
}
