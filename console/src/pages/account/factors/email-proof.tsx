import { api, ask } from '../../../api';
import { t } from '../../../language';
import { Field } from '../../../ui/form';
import { Loaded } from '../../../ui/page';
import { useResource } from '../../../use-resource';
import { SignInAgain } from './proof-form';

/** Asks for the password of an account that has one, before its email address changes. */
export function EmailProof({ value, onValue }: { value: string; onValue: (password: string) => void }) {
  const factors = useResource('second_factors', () => ask(api.get('/second_factors')));
  return (
    <Loaded resource={factors}>
      {({ password }) =>
        password ? (
          <Field
            label={t('Current password')}
            hint={t('Confirms the new email address.')}
            type="password"
            value={value}
            onValue={onValue}
            autocomplete="current-password"
            required
          />
        ) : (
          <>
            <p>{t('This account has no password: a sign-in within the last ten minutes proves that it is you.')}</p>
            <SignInAgain />
          </>
        )
      }
    </Loaded>
  );
}
