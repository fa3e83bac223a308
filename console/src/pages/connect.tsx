import { t } from '../language';
import { href } from '../router';
import { Loaded, Page } from '../ui/page';
import { useWays, type Way } from './connect/ways';

/** The ways to bring data in: what do you have? */
export function ConnectPage() {
  const ways = useWays();
  return (
    <Page title={t('Connect a device')} lead={t('What do you have?')} crumb={{ path: '/sensors', name: t('Sensors') }}>
      <Loaded resource={ways}>
        {(list) =>
          [...new Set(list.map(({ group }) => group))].map((group) => (
            <section key={group} class="stack tight">
              <h2 class="label">{group}</h2>
              <div class="channel-grid ways-in">
                {list
                  .filter((way) => way.group === group)
                  .map((way) => (
                    <Tile key={way.name} {...way} />
                  ))}
              </div>
            </section>
          ))
        }
      </Loaded>
    </Page>
  );
}

function Tile({ name, title, hint, page = `/connect/${name}` }: Way) {
  return (
    <a class="channel" href={href(page)}>
      <span>
        {title}
        <span class="hint">{hint}</span>
      </span>
    </a>
  );
}
