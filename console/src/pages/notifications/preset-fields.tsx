import type { Records } from '../../api';
import { said, t } from '../../language';
import { Field } from '../../ui/form';
import type { PartProps } from './url-fields';

/** The fields that a service asks for, with the places to find them. */
export function PresetFields({
  preset: { title, fields, documentation },
  hidden,
  setHidden,
  problems,
}: PartProps & { preset: Records['PresetView'] }) {
  return (
    <>
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.required ? said(field.title) : t('{name} (optional)', { name: said(field.title) })}
          type={field.secret ? 'password' : 'text'}
          autocomplete={field.secret ? 'new-password' : 'off'}
          placeholder={field.secret ? '' : field.default || field.example}
          hint={said(field.help)}
          value={hidden.preset[field.name] ?? ''}
          onValue={(value) => setHidden({ ...hidden, preset: { ...hidden.preset, [field.name]: value } })}
          problem={problems[field.name]}
          required={field.required}
        />
      ))}
      <p class="small">
        <a href={documentation} target="_blank" rel="noreferrer">
          {t('Documentation of {name}', { name: title })}
        </a>
      </p>
    </>
  );
}
