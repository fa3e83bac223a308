import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { type PlainText, t } from '../../language';
import { useUser } from '../../session';
import { DialogButton } from '../../ui/dialog';
import { Check, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { useResource } from '../../use-resource';

type Shown = Records['DisplayUserInfoView'];

const DETAILS: readonly (readonly [keyof Shown, PlainText])[] = [
  ['show_username', 'my username'],
  ['show_first_name', 'my first name'],
  ['show_surname', 'my surname'],
  ['show_email', 'my email address'],
  ['show_phone_number', 'my phone number'],
  ['show_id', 'my id'],
];

/** Changes the details that a user shows in a group. */
export async function showDetails(groupId: string, userId: string, display_user_info: Partial<Shown>): Promise<void> {
  const params = { path: { group_id: groupId, user_id: userId } };
  await ask(api.put('/groups/{group_id}/users/{user_id}', { params, body: { display_user_info } }));
}

/** The details that members of a group see of the user. */
export function OwnDetails({ groupId, onDone }: { groupId: string; onDone: () => void }) {
  return (
    <DialogButton text={t('What I show')} title={t('What the members see of you')}>
      {(close) => (
        <Details
          groupId={groupId}
          onCancel={close}
          onDone={() => {
            close();
            onDone();
          }}
        />
      )}
    </DialogButton>
  );
}

interface DetailsProps {
  groupId: string;
  onDone: () => void;
  onCancel: () => void;
}

function Details(props: DetailsProps) {
  const { id } = useUser();
  const own = useResource(`own details in ${props.groupId}`, async (signal) => {
    const params = { path: { group_id: props.groupId, user_id: id }, query: { details: 'full' as const } };
    return (await ask(api.get('/groups/{group_id}/users/{user_id}', { params, signal }))).user.display_user_info;
  });
  return <Loaded resource={own}>{(shown) => <Ticks {...props} saved={shown} />}</Loaded>;
}

function Ticks({ groupId, saved, onDone, onCancel }: DetailsProps & { saved: Shown | undefined }) {
  const { id } = useUser();
  const [shown, setShown] = useState<Partial<Shown>>({ ...saved });
  const submit = async () => {
    await showDetails(groupId, id, shown);
    onDone();
  };
  return (
    <Form label={t('Save')} submit={submit} onCancel={onCancel}>
      <div>
        {DETAILS.map(([detail, text]) => (
          <Check
            key={detail}
            label={t(text)}
            checked={shown[detail] === true}
            onChecked={(on) => setShown({ ...shown, [detail]: on })}
          />
        ))}
      </div>
      <p class="small quiet">{t('In addition to what the group asked for when you joined.')}</p>
    </Form>
  );
}
