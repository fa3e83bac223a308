import { api, ask } from '../api';
import { go } from '../router';
import { DangerButton } from '../ui/dialog';
import { Loaded, Page, Section } from '../ui/page';
import { useResource } from '../use-resource';
import { Outline } from './environment/outline';
import { SensorsInside } from './environment/sensors-inside';
import { areaText } from './environments';

/** A place: its outline to draw, and the sensors in it. */
export function EnvironmentPage({ id }: { id: string }) {
  const environment = useResource(`environment ${id}`, async (signal) => {
    return (await ask(api.get('/environments/{id}', { params: { path: { id } }, signal }))).environment;
  });
  return (
    <Page
      title={environment.data?.name ?? 'Environment'}
      crumb={{ path: '/environments', name: 'Environments' }}
      lead={environment.data && areaText(environment.data.gps_outline)}
      actions={
        environment.data && (
          <DangerButton
            text="Delete"
            title={`Delete ${environment.data.name}?`}
            consequence="The sensors in it stay."
            act={async () => {
              await ask(api.delete('/environments/{id}', { params: { path: { id } } }));
              go('/environments');
            }}
          />
        )
      }
    >
      <Loaded resource={environment}>
        {(found) => (
          <div class="columns place">
            <Outline environment={found} onSaved={environment.reload} />
            <Section title="Sensors in it">
              <SensorsInside id={id} />
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
