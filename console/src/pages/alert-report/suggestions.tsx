import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { formatDuration } from '../../format';
import { t } from '../../language';
import { href } from '../../router';
import { Action } from '../../ui/action';
import { labelOf } from '../../ui/field-names';
import { Loaded, Section } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { ruleText } from '../sensor/rule-text';

type Suggestion = Records['SuggestionView'];

/** Changes of single fields of rules that would make less noise, as tried on the data of the range. */
export function Suggestions({ from, to }: { from: number; to: number }) {
  const found = useResource(`suggestions ${from} ${to}`, (signal) => {
    const query = { start_date: from, end_date: to };
    return ask(api.get('/reports/alerts/suggestions', { params: { query }, signal }));
  });
  return (
    <Section title={t('Less noise')}>
      <Loaded resource={found}>
        {({ suggestions, complete }) => (
          <>
            {suggestions.length === 0 && <p class="quiet">{t('No change of one field would make it quieter.')}</p>}
            <ul class="stack">
              {suggestions.map((one) => (
                <One key={`${one.trigger_id} ${one.field} ${one.to}`} {...one} />
              ))}
            </ul>
            {!complete && (
              <p class="quiet">{t('The time was over before all rules were tried: choose a shorter period.')}</p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function One(suggestion: Suggestion) {
  const { trigger_id: id, trigger_name: name, field, from, to, before, after, delay, shadow } = suggestion;
  const { lost_count: lost, merged } = suggestion;
  const [isTried, setTried] = useState(false);
  const start = async () => {
    await ask(api.post('/triggers/{id}/shadow', { params: { path: { id } }, body: { shadow } }));
    say(t('The changed rule is tried for a week. It sends nothing.'));
    setTried(true);
  };
  return (
    <li class="line spread">
      <div class="breakable">
        <a class="strong" href={href(`/triggers/${id}`)}>
          {name}
        </a>
        {' · '}
        {labelOf(field)}: {textOf(from)} → <strong>{textOf(to)}</strong>
        <div class="small quiet">
          {t('On stored data {before} → {after} alerts, {from} → {to} messages', {
            ...{ before: before.episodes, after: after.episodes, from: before.deliveries, to: after.deliveries },
          })}
          {delay.longest > 0 && `, ${t('{time} later at most', { time: formatDuration(delay.longest) })}`}
          {lost > 0 && `. ${t('{n} would vanish; nobody had acknowledged any of them.', { n: lost })}`}
          {merged > 0 && `. ${t('{n} would be part of another one.', { n: merged })}`}
        </div>
      </div>
      {isTried ? (
        <a href={href(`/triggers/${id}`)}>{t('It is on trial')}</a>
      ) : (
        <Action kind="small-button" act={start} label={`${t('Try it for a week without messages')}: ${name}`}>
          {t('Try it for a week without messages')}
        </Action>
      )}
    </li>
  );
}

/** A value of a field of a rule: seconds, or an expression. */
function textOf(value: string | number | null): string {
  if (value === null || value === 0) return '–';
  return typeof value === 'number' ? formatDuration(value) : ruleText({ expression: value, inactivity: null });
}
