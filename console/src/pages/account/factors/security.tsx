import { api, ask } from '../../../api';
import { IDENTITY_PROVIDER } from '../../../identity-provider';
import { t } from '../../../language';
import { later } from '../../../ui/later';
import { Loaded, Section } from '../../../ui/page';
import { useResource } from '../../../use-resource';
import { FirstPassword, Password } from './password';
import { SecondFactors } from './second-factors';

const Identities = later(() => import('../identities').then((loaded) => loaded.Identities));

/** The ways in which the user signs in. */
export function WaysIn() {
  const resource = useResource('second_factors', () => ask(api.get('/second_factors')));
  const { reload } = resource;
  return (
    <Loaded resource={resource}>
      {(factors) => (
        <>
          <Section title={t('Password')}>{factors.password ? <Password /> : <FirstPassword onDone={reload} />}</Section>
          {IDENTITY_PROVIDER && (
            <Section title={t('Identities')}>
              <p class="quiet">{t('Other ways to sign in, at {provider}.', { provider: IDENTITY_PROVIDER })}</p>
              <Identities />
            </Section>
          )}
          <Section title={t('Second factor')}>
            <p class="quiet">{t('Makes a stolen password useless. Keys of devices and programs are not asked.')}</p>
            <SecondFactors factors={factors} reload={reload} />
          </Section>
        </>
      )}
    </Loaded>
  );
}
