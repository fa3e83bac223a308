import { type Attributes, Op, type WhereOptions } from 'sequelize';
import type { SensorAccess } from '../../access/sensor-access';
import type { Page, PageOf } from '../../edge/paging';
import { Conflict, InvalidInput, NotFound } from '../../platform/errors';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Note } from '../../storage/models/note.model';
import type { Sensor } from '../../storage/models/sensor.model';
import { User } from '../../storage/models/user.model';
import { inTransaction } from '../../storage/transaction';
import { findOwners } from '../sensors/sensor-owners';

/** Charts load all notes in their range. */
const MAX_NOTES = 1_000;

export type NoteChanges = Partial<Pick<Attributes<Note>, 'dateMs' | 'endMs' | 'text'>>;

export type NewNote = NoteChanges & { dateMs: number; text: string };

export interface NoteAuthor {
  id?: number;
  username: string;
}

/** Who sees the sensor reads them; its owner writes them. */
export class NotesService {
  constructor(
    private readonly database: Database,
    private readonly access: SensorAccess,
  ) {}

  /** Notes that touch the range, by date, and their author. */
  async list(
    userId: number,
    sensorId: number,
    { startMs, endMs }: { startMs?: number; endMs?: number },
    page: Page,
  ): Promise<PageOf<Note> & { author: NoteAuthor }> {
    const { sensor } = await this.access.find(userId, sensorId);
    const where: WhereOptions<Note> = {
      sensorId,
      ...(endMs !== undefined && { dateMs: { [Op.lte]: endMs } }),
      ...(startMs !== undefined && {
        [Op.or]: [{ endMs: { [Op.gte]: startMs } }, { endMs: null, dateMs: { [Op.gte]: startMs } }],
      }),
    };
    const found = await findPage(Note, { where, order: ['dateMs', 'id'] }, page);
    return { ...found, author: await this.authorFor(userId, sensor) };
  }

  /** Throws Conflict at the limit. */
  create(userId: number, sensorId: number, fields: NewNote): Promise<{ note: Note; author: NoteAuthor }> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      // Locked, so that concurrent requests count each other's notes.
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      const count = await Note.count({ where: { sensorId }, transaction });
      if (count >= MAX_NOTES) throw new Conflict(`the sensor has ${MAX_NOTES} notes: delete one first`);
      const note = Note.build({ sensorId, endMs: null, ...fields });
      requireOrder(note);
      await note.save({ transaction });
      return { note, author: await this.authorFor(userId, sensor) };
    });
  }

  update(
    userId: number,
    { sensorId, noteId }: NotePlace,
    changes: NoteChanges,
  ): Promise<{ note: Note; author: NoteAuthor }> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      const sensor = await this.access.lockOwn(userId, sensorId, transaction);
      const note = await Note.findOne({ where: { id: noteId, sensorId }, transaction });
      if (!note) throw new NotFound('the note');
      note.set(changes);
      requireOrder(note);
      await note.save({ transaction });
      return { note, author: await this.authorFor(userId, sensor) };
    });
  }

  async delete(userId: number, { sensorId, noteId }: NotePlace): Promise<void> {
    await this.access.findOwn(userId, sensorId);
    const where = { id: noteId, sensorId };
    const count = await inTransaction(this.database.sequelize, (transaction) => Note.destroy({ where, transaction }));
    if (count === 0) throw new NotFound('the note');
  }

  /** Returns the owner, because only the owner writes notes. */
  private async authorFor(userId: number, sensor: Sensor): Promise<NoteAuthor> {
    if (sensor.ownerId === userId) {
      const owner = await User.findByPk(userId, { attributes: ['id', 'username'] });
      return { id: userId, username: owner?.username ?? '' };
    }
    return (await findOwners(this.database.pool, userId, [sensor])).get(sensor.id) ?? { username: '' };
  }
}

interface NotePlace {
  sensorId: number;
  noteId: number;
}

function requireOrder({ dateMs, endMs }: Note): void {
  if (endMs !== null && endMs < dateMs) throw InvalidInput.field('note.end_date', 'must not be before note.date');
}
