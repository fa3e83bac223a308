import { useMemo, useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import type { Mark, Span } from '../../chart/marks';
import { useDraft } from '../../drafts';
import { formatDate } from '../../format';
import { t } from '../../language';
import { href } from '../../router';
import { DateTimeField, fieldOf, readDateTime } from '../../ui/date-time-field';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Check, Field, Form } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { Pages, Table } from '../../ui/table';
import { type Resource, useResource } from '../../use-resource';

type Note = Records['NoteView'];

const REFRESH_MS = 30_000;
/** Maximum number of notes of a sensor, which one request reads. */
const MOST = 1_000;
const LISTED = 10;

/** The notes of a sensor, by date. */
export function useNotes(id: string): Resource<Note[]> {
  return useResource(
    `notes ${id}`,
    async (signal) => {
      const params = { path: { id }, query: { per_page: MOST } };
      return (await ask(api.get('/sensors/{id}/notes', { params, signal }))).notes;
    },
    { everyMs: REFRESH_MS },
  );
}

/** The notes as marks and periods of a chart. */
export function useNoteMarks(notes: readonly Note[] | undefined): [Mark[], Span[]] {
  return useMemo(() => {
    const marks = (notes ?? []).map(({ date, end_date, text }) => {
      return { date, kind: 'note' as const, text, ...(end_date !== null && { until: end_date }) };
    });
    const spans = marks.flatMap(({ date: from, until: to }) =>
      to === undefined ? [] : [{ from, to, kind: 'note' as const }],
    );
    return [marks, spans];
  }, [notes]);
}

interface ListProps {
  sensorId: string;
  notes: Resource<Note[]>;
  /** True if the user may write notes. */
  isOwner: boolean;
}

/** The notes of a sensor, the newest first; each leads to its moment on the chart. */
export function Notes({ sensorId, notes, isOwner }: ListProps) {
  const [page, setPage] = useState(0);
  if (!isOwner && !notes.data?.length) return null;
  const now = Date.now() / 1000;
  return (
    <Section
      title={t('Notes')}
      actions={isOwner && <NewNote {...{ sensorId }} date={now} onDone={notes.reload} kind="" />}
    >
      <Loaded resource={notes}>
        {(all) => {
          if (all.length === 0) return <p class="quiet">{t('Click the chart to say what happened there.')}</p>;
          const shown = all.toReversed().slice(page * LISTED, (page + 1) * LISTED);
          return (
            <>
              <NoteTable {...{ sensorId, isOwner }} rows={shown} onDone={notes.reload} />
              <Pages page={page} size={LISTED} count={shown.length} total={all.length} onPage={setPage} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface TableProps {
  sensorId: string;
  isOwner: boolean;
  rows: readonly Note[];
  onDone: () => void;
}

function NoteTable({ sensorId, isOwner, rows, onDone }: TableProps) {
  const remove = async (note_id: string) => {
    await ask(api.delete('/sensors/{id}/notes/{note_id}', { params: { path: { id: sensorId, note_id } } }));
    onDone();
  };
  return (
    <Table<Note>
      caption={t('Notes')}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Date'),
          cell: ({ date, end_date }) => (
            <a class="numbers" href={href(`/sensors/${sensorId}?at=${date}`)}>
              {formatDate(date)}
              {end_date !== null && ` – ${formatDate(end_date)}`}
            </a>
          ),
        },
        { name: t('Note'), cell: ({ text }) => <span class="breakable pre-line">{text}</span> },
        ...(isOwner
          ? [
              {
                name: t('Actions'),
                right: true,
                cell: (note: Note) => (
                  <div class="actions">
                    <DialogButton
                      text={t('Edit')}
                      title={t('Edit the note')}
                      kind="small-button"
                      label={t('Edit “{text}”', { text: note.text })}
                    >
                      {(close) => <NoteForm {...{ sensorId, note, close, onDone }} />}
                    </DialogButton>
                    <DangerButton
                      text={t('Delete')}
                      kind="quiet-button small-button"
                      label={t('Delete “{text}”', { text: note.text })}
                      title={t('Delete the note?')}
                      consequence={t('Deletes “{text}” for everyone. This cannot be undone.', { text: note.text })}
                      act={() => remove(note.id)}
                    />
                  </div>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

interface NewProps {
  sensorId: string;
  /** The suggested moment. */
  date: number;
  onDone: () => void;
  kind: string;
}

/** A button that writes a note at a moment. */
export function NewNote({ sensorId, date, onDone, kind }: NewProps) {
  return (
    <DialogButton text={t('Add a note')} title={t('Add a note')} kind={kind}>
      {(close) => <NoteForm {...{ sensorId, date, close, onDone }} />}
    </DialogButton>
  );
}

interface FormProps {
  sensorId: string;
  date?: number;
  note?: Note;
  close: () => void;
  onDone: () => void;
}

function NoteForm({ sensorId, date = 0, note, close, onDone }: FormProps) {
  const [text, setText] = useDraft(`note ${note?.id ?? ''}`, note?.text ?? '');
  const [from, setFrom] = useState(fieldOf(note?.date ?? date));
  const [isPeriod, setPeriod] = useState(typeof note?.end_date === 'number');
  const [to, setTo] = useState(fieldOf(note?.end_date ?? note?.date ?? date));
  const submit = async () => {
    const end = isPeriod ? dateOf(to, note?.end_date) : null;
    const body = { note: { date: dateOf(from, note?.date), end_date: end, text } };
    const path = { id: sensorId };
    if (note) {
      const params = { path: { ...path, note_id: note.id } };
      await ask(api.put('/sensors/{id}/notes/{note_id}', { params, body }));
    } else await ask(api.post('/sensors/{id}/notes', { params: { path }, body }));
    close();
    onDone();
  };
  return (
    <Form label={t('Save')} submit={submit} onCancel={close}>
      <Field label={t('Note')} value={text} onValue={setText} rows={3} maxLength={500} required />
      <DateTimeField label={isPeriod ? t('From') : t('At|moment')} value={from} onValue={setFrom} />
      <Check label={t('For a period')} checked={isPeriod} onChecked={setPeriod} />
      {isPeriod && <DateTimeField label={t('To')} value={to} onValue={setTo} />}
    </Form>
  );
}

/** The date in a field; a date that was not changed keeps its milliseconds. */
function dateOf(field: string, before: number | null | undefined): number {
  if (typeof before === 'number' && fieldOf(before) === field) return before;
  return readDateTime(field).seconds ?? 0;
}
