import { api, ask } from '../api';
import { type PlainText, t } from '../language';
import { go, href } from '../router';
import { DangerButton } from '../ui/dialog';
import { Loaded, Page, Section } from '../ui/page';
import { Floor } from './environment/floor';
import { type Place, useInside, usePlace } from './environment/load';
import { SensorsInside } from './environment/sensors-inside';
import { Template } from './environment/template';
import { areaText } from './environments';
import { Outline } from './forms';

const TABS: readonly (readonly [path: string, name: PlainText])[] = [
  ['', 'Plan'],
  ['/outline', 'Outline and picture'],
];

/** A place: its plan with the sensors in it, or its outline to draw. */
export function EnvironmentPage({ id, tab }: { id: string; tab?: string }) {
  const place = usePlace(id);
  const environment = place.data?.environment;
  return (
    <Page
      title={environment?.name ?? t('Environment')}
      crumb={{ path: '/environments', name: t('Environments') }}
      lead={environment && areaText(environment.gps_outline)}
      actions={
        environment && (
          <DangerButton
            text={t('Delete')}
            title={t('Delete {name}?', { name: environment.name })}
            consequence={t('The sensors in it stay. Its picture is deleted.')}
            act={async () => {
              await ask(api.delete('/environments/{id}', { params: { path: { id } } }));
              go('/environments');
            }}
          />
        )
      }
    >
      <nav class="tabs" aria-label={t('Parts of the environment')}>
        {TABS.map(([path, name]) => (
          <a
            key={path}
            href={href(`/environments/${id}${path}`)}
            aria-current={path === (tab ? `/${tab}` : '') ? 'page' : undefined}
          >
            {t(name)}
          </a>
        ))}
      </nav>
      <Loaded resource={place}>
        {(found) => (tab ? <Outline {...found} reload={place.reload} /> : <PlanTab {...found} reload={place.reload} />)}
      </Loaded>
    </Page>
  );
}

function PlanTab({ reload, ...place }: Place & { reload: () => void }) {
  const { environment, plan } = place;
  const inside = useInside(environment.id);
  const isDrawn = environment.gps_outline !== '' || plan !== undefined;
  return (
    <div class="columns place">
      {isDrawn ? (
        <Loaded resource={inside}>{(found) => <Floor {...place} inside={found} reload={inside.reload} />}</Loaded>
      ) : (
        <Template environment={environment} onSaved={reload} />
      )}
      <Section title={t('Sensors in it')}>
        <SensorsInside id={environment.id} onChange={inside.reload} />
      </Section>
    </div>
  );
}
