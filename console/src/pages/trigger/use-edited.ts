import { useState } from 'preact/hooks';
import { useDraft } from '../../drafts';
import { t } from '../../language';
import { go } from '../../router';
import { say } from '../../ui/toast';
import { unsaved } from '../../unsaved';
import type { Asked } from './asked';
import { type Built, read, write } from './built-rule';
import { type Connections, editedConnections, type Loaded } from './load';
import type { Rule } from './rule';
import { saveTrigger } from './save';

/** A trigger as it stands in the form. */
export interface Edited {
  /** With the condition that the builder writes. */
  rule: Rule;
  built: Built;
  setBuilt(built: Built): void;
  setRule(rule: Rule): void;
  connections: Connections;
  setConnections(connections: Connections): void;
  /** The sensors by hand and of the stored selector. */
  sensors: readonly string[];
  /** True if an edit keeps open alerts. */
  keep: boolean;
  setKeep(keep: boolean): void;
  edit(rule: Rule): void;
  /** Puts the stored rule into the form, and loads the trigger. */
  show(rule: Rule): void;
  save(): Promise<void>;
}

interface Start {
  id: string | undefined;
  stored: Loaded;
  asked: Asked;
  onSaved: () => void;
}

/** The fields of the form; they outlive the end of the session. */
export function useEdited({ id, stored, asked, onSaved }: Start): Edited {
  const [others, setRule] = useDraft('rule', () =>
    asked.follows ? { ...stored.rule, follows: asked.follows } : stored.rule,
  );
  const [built, setBuilt] = useDraft('built', () => read(stored.rule));
  const rule = { ...others, ...write(built) };
  const [connections, setConnections] = useDraft<Connections>('connections', () => begun(stored, asked));
  const sensors = [...new Set([...connections.sensors, ...stored.selected])];
  const [keep, setKeep] = useState(true);
  const edit = (edited: Rule) => {
    setRule(edited);
    setBuilt(read(edited));
  };
  const show = (shown: Rule) => {
    edit(shown);
    unsaved.clear();
    onSaved();
    document.getElementById('title')?.focus();
  };
  const save = async () => {
    const { id: savedId, warning, alerts } = await saveTrigger(id, stored, rule, connections, keep);
    const saved = warning ? '“{name}” is saved, with a warning.' : '“{name}” is saved and active.';
    say(`${t(saved, { name: rule.name })} ${alerts}`);
    setKeep(true);
    onSaved();
    go(asked.page && !warning ? `/sensors/${asked.page}` : `/triggers/${savedId}`);
  };
  return { rule, setRule, built, setBuilt, connections, setConnections, sensors, keep, setKeep, edit, show, save };
}

/** The initial connections. A trigger without sensors starts with the sensors that the address names. */
function begun(stored: Loaded, { sensors }: Asked): Connections {
  const connections = editedConnections(stored);
  return connections.sensors.length > 0 ? connections : { ...connections, sensors };
}

/** The sensors of the stored trigger. */
export function sensorsOf({ connections, selected }: Loaded): readonly string[] {
  return [...connections.sensors, ...selected];
}
