import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Frame } from './frame';
import { t } from './language';
import { Welcome } from './pages/welcome';
import { followLinks, usePlace } from './router';
import { findRoute } from './routes';
import { findSession, useSession } from './session';
import { Page, Problem } from './ui/page';
import { Toast } from './ui/toast';
import { useOnline } from './use-online';

/** The whole console: the sign-in for visitors, otherwise the page of the address. */
export function App() {
  const session = useSession();
  const current = useCurrentPage();
  useEffect(() => {
    document.addEventListener('click', followLinks);
    return () => document.removeEventListener('click', followLinks);
  }, []);
  if (session.state === 'unknown') return null;
  if (session.state === 'nobody') return <Welcome />;
  if (session.state === 'unreachable') return <Unreachable error={session.error} />;
  return (
    <>
      <Frame>
        <CurrentPage {...current} />
      </Frame>
      <Toast />
    </>
  );
}

type Params = Record<string, string>;

/** Loads the page of the address, and meanwhile the session is asked for. */
function useCurrentPage() {
  const { path } = usePlace();
  const route = findRoute(path);
  const [loaded, setLoaded] = useState<{ load: unknown; page: ComponentType<Params> }>();
  const [error, setError] = useState<unknown>();
  const load = route?.load;
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let wanted = true;
    load?.().then(
      (page) => {
        if (!wanted) return;
        setError(undefined);
        setLoaded({ load, page });
      },
      (reason: unknown) => wanted && setError(reason),
    );
    return () => {
      wanted = false;
    };
  }, [load, attempt]);
  useRetry(error !== undefined, () => setAttempt((before) => before + 1));
  return { path, route, error, page: loaded?.load === load ? loaded?.page : undefined };
}

function CurrentPage({ path, route, error, page: PageOfRoute }: ReturnType<typeof useCurrentPage>) {
  if (!route) {
    return (
      <Page title={t('There is no such page')}>
        <p class="quiet">{t('The address may be mistyped, or what it named was deleted.')}</p>
      </Page>
    );
  }
  if (error !== undefined) {
    return (
      <Page title={t('The page could not be loaded')}>
        <Problem
          error={
            new Error(t('The console has changed, or the platform cannot be reached. This page tries again by itself.'))
          }
          retry={() => window.location.reload()}
        />
      </Page>
    );
  }
  return PageOfRoute ? <PageOfRoute key={path} {...route.params} /> : null;
}

const RETRY_MS = 3_000;

/**
 * Retries every few seconds. Once the connection is back everything is loaded again, because browsers may cache a
 * failed script.
 */
function useRetry(must: boolean, retry: () => void): void {
  const online = useOnline();
  const [wasOffline, setOffline] = useState(false);
  useEffect(() => {
    if (!must) return;
    if (!online) setOffline(true);
    else if (wasOffline) window.location.reload();
    const timer = setInterval(retry, RETRY_MS);
    return () => clearInterval(timer);
  }, [must, online]);
}

/** The platform does not answer, or answers with an error: retries automatically. */
function Unreachable({ error }: { error: unknown }) {
  useEffect(() => {
    const timer = setInterval(() => void findSession(), RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <main class="welcome">
      <div>
        <h1>{t('The platform does not answer')}</h1>
        <Problem error={error} retry={() => void findSession()} />
        <p class="quiet">{t('This page tries again by itself. Data that devices send again is not lost.')}</p>
      </div>
    </main>
  );
}
