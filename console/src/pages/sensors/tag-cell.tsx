import { useEffect, useRef, useState } from 'preact/hooks';
import { sensorName } from '../../format';
import { t } from '../../language';
import { type Tags, tagValues } from '../../search/find';
import { TagForm } from '../forms';
import type { Sensor } from './load';

interface TagCellProps {
  sensor: Sensor;
  name: string;
  tags: Tags;
  onEdited: (() => void) | undefined;
}

/** The values of a metatag, which the owner of the sensor can edit in their place. */
export function TagCell({ sensor, name, tags, onEdited }: TagCellProps) {
  const [isOpen, setOpen] = useState<boolean>();
  // What was stored is shown until the sensors are loaded again.
  const [stored, setStored] = useState<{ before: string; text: string }>();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen === false) button.current?.focus();
  }, [isOpen]);
  const values = tagValues(sensor, name, tags);
  const before = values.join(', ');
  const text = stored?.before === before ? stored.text : before;
  // A comma in a value would make two of it.
  if (sensor.owner || !onEdited || values.join().split(',').length > Math.max(1, values.length)) return text;
  const label = t('{name} of {sensor}', { name, sensor: sensorName(sensor) });
  const close = (saved?: string) => {
    if (saved !== undefined) {
      setStored({ before, text: saved });
      onEdited();
    }
    setOpen(false);
  };
  if (isOpen) return <TagForm id={sensor.id} {...{ name, tags, text, label, close }} />;
  return (
    <span class="editable">
      {text}
      <button
        type="button"
        class="button quiet-button small-button"
        aria-label={t('Edit {name}', { name: label })}
        ref={button}
        onClick={() => setOpen(true)}
      >
        ✎
      </button>
    </span>
  );
}
