import { useId, useState } from 'preact/hooks';
import { formatCount } from '../format';
import { t } from '../language';
import type { Found } from '../pages/sensors/use-found';
import { type Completion, completionsOf } from '../search/complete';
import type { Resource } from '../use-resource';
import { textOf } from './form';

interface SearchProps {
  value: string;
  onValue: (value: string) => void;
  /** What is found by it. */
  found: Resource<Found>;
}

/** The search for sensors: a field that completes metatags and their values. */
export function SensorSearch({ value, onValue, found: { data, loading } }: SearchProps) {
  const [id, label] = [useId(), t('Find sensors')];
  const { active, setActive, isOpen, setOpen, change, close, choose } = useCompletion(onValue);
  const options =
    isOpen && data ? completionsOf(value, data.tags).filter(({ result }) => result.trim() !== value.trim()) : [];
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keyAct(event.key, { active, options, open: () => setOpen(true), close, setActive, change, choose });
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const combobox: object = {
    role: 'combobox',
    'aria-expanded': options.length > 0,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': options[active] && `${id}-${active}`,
  }; // the types know it only with a datalist
  return (
    <div class="search">
      <input
        class="input"
        type="search"
        aria-label={label}
        {...combobox}
        aria-describedby={`${id}-mistake`}
        autocomplete="off"
        spellcheck={false}
        placeholder={t('Name, kind:freezer, state:firing')}
        value={value}
        onInput={(event) => change(textOf(event))}
        onClick={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <Options {...{ id, label, options, active, choose }} />
      <p class="hint warn" id={`${id}-mistake`} role="status">
        {!loading && data?.mistake}
      </p>
    </div>
  );
}

/** Whether completions are open, and which of them is active. */
function useCompletion(onValue: (value: string) => void) {
  const [active, setActive] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const change = (next: string) => {
    onValue(next);
    setActive(-1);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  // After a key its values are offered; a value ends the choice.
  const choose = (next: string) => {
    change(next);
    setOpen(/:\s*$/.test(next));
  };
  return { active, setActive, isOpen, setOpen, change, close, choose };
}

interface Keyed {
  active: number;
  options: readonly Completion[];
  open: () => void;
  close: () => void;
  setActive: (at: number) => void;
  change: (text: string) => void;
  choose: (text: string) => void;
}

/** What a key does; undefined if it is for the field. Enter never sends the form around it. */
function keyAct(
  key: string,
  { active, options, open, close, setActive, change, choose }: Keyed,
): (() => void) | undefined {
  const { length } = options;
  const chosen = options[active];
  switch (key) {
    case 'ArrowDown':
      return length > 0 ? () => setActive((active + 1) % length) : open;
    case 'ArrowUp':
      return length > 0 ? () => setActive((Math.max(active, 0) + length - 1) % length) : undefined;
    case 'Enter':
      return () => (chosen ? choose(chosen.result) : close());
    case 'Escape':
      if (length > 0) return close;
      return () => {
        change('');
        close();
      };
    default:
      return undefined;
  }
}

type OptionsProps = Pick<Keyed, 'active' | 'options' | 'choose'> & { id: string; label: string };

function Options({ id, label, options, active, choose }: OptionsProps) {
  return (
    <div class="completions" id={`${id}-list`} role="listbox" aria-label={label} hidden={options.length === 0}>
      {options.map(({ text, result, count }, at) => (
        <div
          key={text}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(result);
          }}
        >
          {text}
          {count !== undefined && <span class="quiet numbers">{formatCount(count)}</span>}
        </div>
      ))}
    </div>
  );
}
