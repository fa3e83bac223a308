import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { formatList, sensorName } from '../../format';
import { type PlainText, t, tx } from '../../language';
import { go, href } from '../../router';
import { Action } from '../../ui/action';
import { Check } from '../../ui/form';
import { Together } from '../../ui/page';
import { say } from '../../ui/toast';
import { type Resource, useResource } from '../../use-resource';

type Invitation = Records['InvitationView'];

const SELDOM_MS = 60_000;
const MOST = 8;

const DETAILS: Readonly<Record<string, PlainText>> = {
  first_name: 'my first name',
  surname: 'my surname',
  email: 'my email address',
  phone_number: 'my phone number',
  username: 'my username',
  id: 'my id',
};

/** Invitations to the user, and sensors that others have shared with them, above what is shown together with them. */
export function Received({ children }: { children: ComponentChildren }) {
  const received = useResource(
    'invitations',
    async (signal) => (await ask(api.get('/invitations', { signal }))).invitations,
    { everyMs: SELDOM_MS },
  );
  const shares = useResource(
    'new shares',
    async (signal) => (await ask(api.get('/sensors/shared/new', { signal }))).shares,
    { everyMs: SELDOM_MS },
  );
  return (
    <Together of={[received, shares]}>
      {received.data?.map((one) => (
        <Offer key={one.id} reference={one.id} invitation={one} onDecline={received.reload} />
      ))}
      <NewShares {...shares} />
      {children}
    </Together>
  );
}

function NewShares({ data = [], reload }: Resource<Records['NewShareView'][]>) {
  if (data.length === 0) return null;
  const dismiss = async () => {
    await ask(api.post('/sensors/shared/dismiss', { body: { sensors: data.map(({ sensor_id }) => sensor_id) } }));
    reload();
  };
  return (
    <div class="message line spread">
      <span>
        {t('Newly shared with you:')}
        {data.slice(0, MOST).map((one) => (
          <span key={one.sensor_id} class="breakable">
            {' '}
            <a href={href(`/sensors/${one.sensor_id}`)}>{sensorName(one)}</a> ({one.owner})
          </span>
        ))}
        {data.length > MOST && ` ${t('and {n} more', { n: data.length - MOST })}`}
      </span>
      <Action kind="small-button" act={dismiss}>
        {t('Dismiss')}
      </Action>
    </div>
  );
}

interface OfferProps {
  /** An id or a token. */
  reference: string;
  invitation: Invitation;
  onDecline: () => void;
}

/** What is offered, by whom, and what the members of a group will see. */
export function Offer({
  reference,
  invitation: { id, group_id, sensor_id, name, inviter, accepted, ...terms },
  onDecline,
}: OfferProps) {
  const [isNamed, setNamed] = useState(true);
  const path = { invitation: reference };
  const place = group_id ? `/groups/${group_id}` : `/sensors/${sensor_id}`;
  useEffect(() => {
    if (accepted) go(place, { replace: true });
  }, [accepted]);
  const accept = async () => {
    const body = { ...(group_id && { display_user_info: { show_username: isNamed } }) };
    await ask(api.post('/invitations/{invitation}/accept', { params: { path }, body }));
    if (group_id) say(t('You are a member of {name}.', { name }));
    go(place);
  };
  const decline = async () => {
    // A link ends by itself: others may have it.
    if (reference === id) await ask(api.post('/invitations/{invitation}/decline', { params: { path } }));
    onDecline();
  };
  const texts = { inviter: <strong>{inviter}</strong>, name: <strong>{name}</strong> };
  const shown = formatList([...new Set(terms.shows.map((detail) => t(DETAILS[detail] ?? 'my address')))]);
  return (
    <div class="message stack tight">
      <p class="breakable">
        {group_id
          ? tx('{inviter} invites you to the group {name}.', texts)
          : tx('{inviter} wants to share the sensor {name} with you.', texts)}
      </p>
      {shown && <p class="small quiet">{t('Its members will see {details}.', { details: shown })}</p>}
      {terms.sensors.length > 0 && (
        <p class="small quiet">{t('New members share these sensors: {names}.', { names: terms.sensors.join(', ') })}</p>
      )}
      {group_id && !terms.shows.includes('username') && (
        <Check label={t('Show my username to the members')} checked={isNamed} onChecked={setNamed} />
      )}
      <div class="actions">
        <Action kind="small-button primary" act={accept} label={`${t('Accept|invitation')}: ${name}`}>
          {t('Accept|invitation')}
        </Action>
        <Action kind="small-button" act={decline} label={`${t('Decline')}: ${name}`}>
          {t('Decline')}
        </Action>
      </div>
    </div>
  );
}
