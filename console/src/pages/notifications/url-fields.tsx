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
  ['form', 'Form'],
  ['json', 'JSON'],
  ['own', 'Own'],
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
        hint="Gets a signed request for each alert. Path and query may hold variables, such as {{sensor_id}}."
        value={fields.destination}
        onValue={(destination) => change({ destination })}
        problem={problems.destination}
        required
      />
      <div class="field">
        <span class="label">Body</span>
        <div>
          <Choices label="Body" value={fields.format} onValue={(format) => change({ format })} options={FORMATS} />
        </div>
      </div>
      {fields.format === 'own' && <OwnBody {...props} />}
      <details class="more">
        <summary>Method, headers and secrets</summary>
        <div class="stack">
          <Choices label="Method" value={fields.method} onValue={(method) => change({ method })} options={METHODS} />
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
        label="Content type"
        placeholder="application/json"
        hint="Optional."
        value={fields.contentType}
        onValue={(contentType) => change({ contentType })}
        problem={problems.content_type}
      />
      <Field
        label={isStructured(fields.contentType) ? 'Body as JSON' : 'Body as a text'}
        rows={8}
        isCode
        hint="Each text is a template: {{title}}, {{text}}, {{severity}}, {{number(sensor_data_value)}}."
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
        label="Headers"
        one="header"
        hint="Sent as they are: a header holds no variables. Values are not shown again."
        values={hidden.headers}
        onValues={(headers) => setHidden({ ...hidden, headers })}
        problem={problems.headers}
      />
      <NamedValues
        label="Secrets"
        one="secret"
        hint="URL and body read a secret as {{secrets.name}}. Values are not shown again."
        values={hidden.secrets}
        onValues={(secrets) => setHidden({ ...hidden, secrets })}
        problem={problems.secrets}
      />
    </>
  );
}

/** The second bodies and URLs, and the certificate. */
function More({ fields, change, problems }: PartProps) {
  const isGiven = [fields.bodyResolved, fields.bodyAcknowledged, fields.destinationResolved].some(Boolean);
  return (
    <details class="more" open={isGiven || undefined}>
      <summary>More</summary>
      <div class="stack">
        {fields.format === 'own' && <FurtherBodies fields={fields} change={change} problems={problems} />}
        <Field
          label="URL when an alert ends"
          hint="Empty: the URL above. On the same host."
          value={fields.destinationResolved}
          onValue={(destinationResolved) => change({ destinationResolved })}
          problem={problems.destination_resolved}
        />
        <Field
          label="URL of acknowledgements"
          value={fields.destinationAcknowledged}
          onValue={(destinationAcknowledged) => change({ destinationAcknowledged })}
          problem={problems.destination_acknowledged}
        />
        <Field
          label="Certificate of a certificate authority"
          rows={3}
          isCode
          hint="In PEM format. Needed if no public certificate authority signed the certificate of the receiver."
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
        label="Body when an alert ends"
        rows={5}
        isCode
        hint="Empty: the body above."
        value={fields.bodyResolved}
        onValue={(bodyResolved) => change({ bodyResolved })}
        problem={problems.body_resolved}
      />
      <Field
        label="Body of acknowledgements"
        rows={5}
        isCode
        hint="Empty: acknowledgements are not sent."
        value={fields.bodyAcknowledged}
        onValue={(bodyAcknowledged) => change({ bodyAcknowledged })}
        problem={problems.body_acknowledged}
      />
    </>
  );
}
