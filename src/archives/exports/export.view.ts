import type { PageTotal } from '../../edge/paging';
import type { Archive } from '../../storage/models/archive.model';
import { type ArchiveView, toArchiveView } from '../archive.view';
import type { ExportProgress } from './export-runner';

/** An export of everything of an account. */
export interface ExportView extends ArchiveView {
  /**
   * The number of sensors that are written so far.
   * @isInt
   * @example 12
   */
  sensors: number;
  /**
   * The number of data points that are written so far.
   * @isLong
   * @example 1440000
   */
  points: number;
  /**
   * The address of the file, once the export is done: it needs no session. `null` before.
   * @example "https://sensors.example.org/exports/7/file?token=9rZ"
   */
  file: string | null;
}

/** The response with one export. */
export interface ExportResponse {
  export: ExportView;
}

/** The response with a page of exports. */
export interface ExportsResponse extends PageTotal {
  exports: ExportView[];
}

export function toExportView({ archive, file }: { archive: Archive; file: string | null }): ExportView {
  const { sensors, points }: ExportProgress = JSON.parse(archive.progress);
  return { ...toArchiveView(archive), sensors, points, file };
}
