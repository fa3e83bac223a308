import { t } from '../../language';
import { Choices, Field } from '../../ui/form';
import { type Fields, type Hidden, isStructured } from './draft';
import { NamedValues } from './named-values';

export interface PartProps {
  fields: Fields;
  change: (changes: Partial<Fields>) => void;
  hidden: Hidden;
  setHidden: (hidden: Hidden) => void;
  problems: Readonly<Record<string, string>>;
}

const FORMATS = [
  ['form', t('Form')],
  ['json', 'JSON'],
  ['own', t('Own')],
] as const;
const METHODS = [
  ['POST', 'POST'],
  ['PUT', 'PUT'],
] as const;

/** The request of a notification to any URL. */
export function UrlFields(props: PartProps) {
  const { fields, change, problems } = props;
  return (
    <>
      <Field
        label="URL"
        placeholder="https://example.org/alerts"
        hint={t('Gets a signed request for each alert. Path and query may contain variables, such as {variable}.', {
          variable: '{{sensor_id}}',
        })}
        value={fields.destination}
        onValue={(destination) => change({ destination })}
        problem={problems.destination}
        required
      />
      <div class="field">
        <span class="label">{t('Body')}</span>
        <div>
          <Choices label={t('Body')} value={fields.format} onValue={(format) => change({ format })} options={FORMATS} />
        </div>
      </div>
      {fields.format === 'own' && <OwnBody {...props} />}
      <details class="more">
        <summary>{t('Method, headers and secrets')}</summary>
        <div class="stack">
          <Choices
            label={t('Method')}
            value={fields.method}
            onValue={(method) => change({ method })}
            options={METHODS}
          />
          <Values {...props} />
        </div>
      </details>
      <More {...props} />
    </>
  );
}

function OwnBody({ fields, change, problems }: PartProps) {
  return (
    <>
      <Field
        label={t('Content type')}
        placeholder="application/json"
        hint={t('Optional.')}
        value={fields.contentType}
        onValue={(contentType) => change({ contentType })}
        problem={problems.content_type}
      />
      <Field
        label={t(isStructured(fields.contentType) ? 'Body as JSON' : 'Body as text')}
        rows={8}
        isCode
        hint={t('Each text is a template: {variables}.', {
          variables: '{{title}}, {{text}}, {{severity}}, {{number(sensor_data_value)}}',
        })}
        value={fields.body}
        onValue={(body) => change({ body })}
        problem={problems.body}
      />
    </>
  );
}

function Values({ hidden, setHidden, problems }: PartProps) {
  return (
    <>
      <NamedValues
        label={t('Headers')}
        one={(n) => t('header {n}', { n })}
        add={t('Add a header')}
        hint={t('Sent unchanged, without variables. Values are not shown again.')}
        values={hidden.headers}
        onValues={(headers) => setHidden({ ...hidden, headers })}
        problem={problems.headers}
      />
      <NamedValues
        label={t('Secrets')}
        one={(n) => t('secret {n}', { n })}
        add={t('Add a secret')}
        hint={t('URL and body read a secret as {variable}. Values are not shown again.', {
          variable: '{{secrets.name}}',
        })}
        values={hidden.secrets}
        onValues={(secrets) => setHidden({ ...hidden, secrets })}
        problem={problems.secrets}
      />
    </>
  );
}

/** The second bodies and URLs, and the certificate. */
function More({ fields, change, problems }: PartProps) {
  const isGiven = [fields.bodyResolved, fields.bodyAcknowledged, fields.destinationResolved, fields.success].some(
    Boolean,
  );
  return (
    <details class="more" open={isGiven || undefined}>
      <summary>{t('More')}</summary>
      <div class="stack">
        {fields.format === 'own' && <FurtherBodies fields={fields} change={change} problems={problems} />}
        <Field
          label={t('URL when an alert ends')}
          hint={t('Empty: the URL above. Must be on the same host.')}
          value={fields.destinationResolved}
          onValue={(destinationResolved) => change({ destinationResolved })}
          problem={problems.destination_resolved}
        />
        <Field
          label={t('URL when an alert is acknowledged')}
          value={fields.destinationAcknowledged}
          onValue={(destinationAcknowledged) => change({ destinationAcknowledged })}
          problem={problems.destination_acknowledged}
        />
        <Field
          label={t('Which answer is a success')}
          isCode
          hint={t('For a receiver that answers 200 with an error, for example body.code == 0. Empty: any status 2xx.')}
          value={fields.success}
          onValue={(success) => change({ success })}
          problem={problems.success}
        />
        <Field
          label={t('Certificate of a certificate authority')}
          rows={3}
          isCode
          hint={t(
            'In PEM format. Only needed if no public certificate authority signed the certificate of the receiver.',
          )}
          value={fields.caCertificate}
          onValue={(caCertificate) => change({ caCertificate })}
          problem={problems.ca_certificate}
        />
      </div>
    </details>
  );
}

function FurtherBodies({ fields, change, problems }: Pick<PartProps, 'fields' | 'change' | 'problems'>) {
  return (
    <>
      <Field
        label={t('Body when an alert ends')}
        rows={5}
        isCode
        hint={t('Empty: the body above.')}
        value={fields.bodyResolved}
        onValue={(bodyResolved) => change({ bodyResolved })}
        problem={problems.body_resolved}
      />
      <Field
        label={t('Body when an alert is acknowledged')}
        rows={5}
        isCode
        hint={t('Empty: acknowledgements are not sent.')}
        value={fields.bodyAcknowledged}
        onValue={(bodyAcknowledged) => change({ bodyAcknowledged })}
        problem={problems.body_acknowledged}
      />
    </>
  );
}
