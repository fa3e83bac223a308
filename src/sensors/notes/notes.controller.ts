import {
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  Path,
  Post,
  Put,
  Queries,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { EmptyResponse, ErrorBody } from '../../edge/error.view';
import { readId } from '../../edge/id';
import { readPage } from '../../edge/paging';
import type { Caller } from '../../platform/caller';
import { type NoteResponse, type NotesResponse, toNoteView } from './note.view';
import {
  type CreateNoteRequest,
  type NotesQuery,
  readNewNote,
  readNoteChanges,
  readNotesRange,
  type UpdateNoteRequest,
} from './notes.request';
import type { NotesService } from './notes.service';

@Route('sensors')
@Tags('Notes')
@Response<ErrorBody>(401, 'No valid session, key or token')
export class NotesController extends Controller {
  constructor(private readonly notes: NotesService) {
    super();
  }

  /**
   * Lists the notes of a sensor that you can see, ordered by date. With `start_date` or `end_date`, only notes at moments
   * and in periods that touch the range.
   * @summary List the notes of a sensor
   */
  @Get('{id}/notes')
  @Security('credential', ['read'])
  @SuccessResponse(200, 'A page of notes')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  async listNotes(@Path() id: string, @Queries() query: NotesQuery, @Inject() caller: Caller): Promise<NotesResponse> {
    const sensorId = readId(id, 'sensor');
    const { items, total, author } = await this.notes.list(
      caller.userId,
      sensorId,
      readNotesRange(query),
      readPage(query),
    );
    return { notes: items.map((note) => toNoteView(note, author)), total };
  }

  /**
   * Writes a note at a moment of the data of one of your sensors, or with `end_date` at a period. All users who can see
   * the sensor read it. A sensor has at most 1,000 notes.
   * @summary Create a note
   */
  @Post('{id}/notes')
  @Security('credential', ['write'])
  @SuccessResponse<{ Location: string }>(201, 'The note was created')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor does not exist, or you cannot see it')
  @Response<ErrorBody>(409, 'The sensor has 1,000 notes', {
    error: 'the sensor has 1000 notes: delete one first',
    code: 'conflict',
  })
  async createNote(
    @Path() id: string,
    @Body() body: CreateNoteRequest,
    @Inject() caller: Caller,
  ): Promise<NoteResponse> {
    const sensorId = readId(id, 'sensor');
    const { note, author } = await this.notes.create(caller.userId, sensorId, readNewNote(body.note));
    this.setStatus(201);
    this.setHeader('Location', `/sensors/${sensorId}/notes/${note.id}`);
    return { note: toNoteView(note, author) };
  }

  /**
   * Changes the given fields of a note on one of your sensors. `end_date: null` makes it a note at a moment.
   * @summary Update a note
   */
  @Put('{id}/notes/{note_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The updated note')
  @Response<ErrorBody>(400, 'Invalid input')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor has no such note, or you cannot see the sensor')
  async updateNote(
    @Path() id: string,
    @Path() note_id: string,
    @Body() body: UpdateNoteRequest,
    @Inject() caller: Caller,
  ): Promise<NoteResponse> {
    const place = { sensorId: readId(id, 'sensor'), noteId: readId(note_id, 'note') };
    const { note, author } = await this.notes.update(caller.userId, place, readNoteChanges(body.note));
    return { note: toNoteView(note, author) };
  }

  /**
   * Deletes a note on one of your sensors.
   * @summary Delete a note
   */
  @Delete('{id}/notes/{note_id}')
  @Security('credential', ['write'])
  @SuccessResponse(200, 'The note was deleted')
  @Response<ErrorBody>(403, 'You can see the sensor, but do not own it')
  @Response<ErrorBody>(404, 'The sensor has no such note, or you cannot see the sensor')
  async deleteNote(@Path() id: string, @Path() note_id: string, @Inject() caller: Caller): Promise<EmptyResponse> {
    await this.notes.delete(caller.userId, { sensorId: readId(id, 'sensor'), noteId: readId(note_id, 'note') });
    return {};
  }
}
