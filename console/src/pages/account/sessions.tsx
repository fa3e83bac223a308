import { all, api, ask, type Records } from '../../api';
import { formatAge, formatDate } from '../../format';
import { many, t } from '../../language';
import { signOut } from '../../session';
import { Action } from '../../ui/action';
import { DangerButton } from '../../ui/dialog';
import { Loaded } from '../../ui/page';
import { Table } from '../../ui/table';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';

type Session = Records['SessionView'];

/** The user's sessions: this browser first, then the latest. */
export function Sessions() {
  const sessions = useResource('sessions', () =>
    all(async (query) => (await ask(api.get('/sessions', { params: { query } }))).sessions),
  );
  return (
    <Loaded resource={sessions}>
      {(list) => (
        <div class="stack">
          <Table<Session>
            caption={t('Where you are signed in')}
            rows={inOrder(list)}
            keyOf={(session) => session.id}
            columns={[
              { name: t('From'), cell: (session) => <Place session={session} /> },
              { name: t('Signed in'), cell: ({ created }) => formatDate(created) },
              { name: t('Used'), cell: (session) => <LastUse session={session} /> },
              {
                name: t('Actions'),
                right: true,
                cell: (session) => <End session={session} onDone={sessions.reload} />,
              },
            ]}
          />
          {list.length > 1 && <EndOthers count={list.length - 1} onDone={sessions.reload} />}
        </div>
      )}
    </Loaded>
  );
}

function inOrder(sessions: readonly Session[]): Session[] {
  return [...sessions].sort((a, b) => Number(b.current) - Number(a.current) || b.last_used - a.last_used);
}

function Place({ session: { address, user_agent: agent, current } }: { session: Session }) {
  const browser = browserOf(agent);
  return (
    <div title={agent}>
      <strong>{browser || address}</strong>
      <div class="small quiet">{[browser && address, current && t('this browser')].filter(Boolean).join(' · ')}</div>
    </div>
  );
}

/** The names by which browsers and systems are known, before those that others imitate. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Macintosh', 'Linux'] as const;

/** The browser and its system, such as `Firefox, Linux`; the first word of another program's name. */
function browserOf(agent: string): string {
  const browser = BROWSERS.find(([mark]) => agent.includes(`${mark}/`))?.[1];
  if (!browser) return agent.split(/[\s/]/)[0] ?? '';
  const system = SYSTEMS.find((name) => agent.includes(name));
  return [browser, system].filter(Boolean).join(', ');
}

function LastUse({ session: { last_used: used, current } }: { session: Session }) {
  if (current) return <>{t('now')}</>;
  // Accurate to the hour.
  return <>{Date.now() / 1000 - used < 3_600 ? t('within the hour') : formatAge(used)}</>;
}

function End({ session, onDone }: { session: Session; onDone: () => void }) {
  if (session.current) {
    return (
      <Action kind="small-button" act={signOut}>
        {t('Sign out')}
      </Action>
    );
  }
  return (
    <Action
      kind="danger small-button"
      label={t('End the session from {address} of {date}', {
        address: session.address,
        date: formatDate(session.created),
      })}
      act={async () => {
        await ask(api.delete('/sessions/{id}', { params: { path: { id: session.id } } }));
        onDone();
      }}
    >
      {t('End|verb')}
    </Action>
  );
}

function EndOthers({ count, onDone }: { count: number; onDone: () => void }) {
  return (
    <div>
      <DangerButton
        text={t('End all others')}
        title={many(count, 'End the other session?', 'End the {n} other sessions?')}
        consequence={t('Those browsers must sign in again. Keys and applications keep their access.')}
        act={async () => {
          await ask(api.delete('/sessions'));
          say(t('All other sessions have ended.'));
          onDone();
        }}
      />
    </div>
  );
}
