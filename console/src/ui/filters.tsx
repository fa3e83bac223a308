import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../language';
import { textOf } from './form';

const PAUSE_MS = 250;

interface FiltersProps {
  /** What is always shown. */
  first: ComponentChildren;
  /** How many of the other filters narrow the list. */
  chosen: number;
  children: ComponentChildren;
}

/** A line of filters. On a phone, all but the first open on request. */
export function Filters({ first, chosen, children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class={`filters folds ${isOpen ? 'is-open' : ''}`}>
      {first}
      <button type="button" class="button small-button unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {chosen > 0 ? t('Filters ({n})', { n: chosen }) : t('Filters')}
      </button>
      {children}
    </div>
  );
}

interface SearchProps {
  label: string;
  placeholder: string;
  value: string;
  onValue: (text: string) => void;
}

/** A field whose text narrows the list, once the user pauses. */
export function Search({ label, placeholder, value, onValue }: SearchProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onValue(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      class="input search"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      onInput={(event) => setTyped(textOf(event))}
    />
  );
}

interface NarrowProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onValue: (value: string) => void;
}

/** A drop-down list in a line of filters, with its label for screen readers only. */
export function Narrow({ label, value, options, onValue }: NarrowProps) {
  return (
    <select class="input" aria-label={label} value={value} onChange={(event) => onValue(textOf(event))}>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Names by their ids as options, in the order of the alphabet. */
export function byName(names: ReadonlyMap<string, string>): [id: string, name: string][] {
  return [...names].sort(([, a], [, b]) => a.localeCompare(b));
}
