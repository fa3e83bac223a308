import { t } from '../../language';
import { Section } from '../../ui/page';
import { Exports } from './exports';
import { Imports } from './imports';

/** Everything of the account as one file, and back. */
export function Archives() {
  return (
    <>
      <Section title={t('Export')}>
        <p class="quiet">
          {t(
            'Everything of your account in one file: sensors with all their data, rules, environments, groups, dashboards, alerts and the history. The file can be downloaded for a day.',
          )}
        </p>
        <Exports />
      </Section>
      <Section title={t('Import')}>
        <p class="quiet">
          {t(
            'Adds what such a file has and your account has not. What has the same name stays as it is, and old data starts no alerts.',
          )}
        </p>
        <Imports />
      </Section>
    </>
  );
}
