import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask, messageOf } from '../../api';
import { type Tags, tagOf } from '../../search/find';
import { useAction } from '../../ui/action';
import { FieldProblem, textOf } from '../../ui/form';
import { readValues } from './tag-values';

interface TagFormProps {
  /** The id of the sensor. */
  id: string;
  name: string;
  tags: Tags;
  /** The present values, separated by commas. */
  text: string;
  label: string;
  /** Gets the new values if they are stored. */
  close: (saved?: string) => void;
}

/** A field in a cell for the values of one metatag: Enter stores them, Escape changes nothing. */
export function TagForm({ id, name, tags, text, label, close }: TagFormProps) {
  const [typed, setTyped] = useState(text);
  const { busy, error, run } = useAction();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    void run(async () => {
      const { tag, ...query } = tagOf(name, tags);
      const values = readValues(typed);
      const params = { path: { id }, query };
      await ask(api.post('/sensors/{id}/metatags', { params, body: { metatags: { [tag]: values } } as never })); // any names
      close(values.join(', '));
    });
  };
  return (
    <form onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <input
        ref={input}
        class="input"
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-problem`}
        autocapitalize="none"
        enterkeyhint="done"
        value={typed}
        onInput={(event) => setTyped(textOf(event))}
      />
      {error !== undefined && <FieldProblem id={`${id}-problem`}>{messageOf(error)}</FieldProblem>}
    </form>
  );
}
