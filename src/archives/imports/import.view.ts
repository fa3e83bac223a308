import type { PageTotal } from '../../edge/paging';
import type { Archive } from '../../storage/models/archive.model';
import { type ArchiveView, toArchiveView } from '../archive.view';
import type { ImportProgress } from './import-progress';

/** How many things were made, and how many of the same names were there and are kept. */
export interface CountsView {
  /**
   * @isInt
   * @example 12
   */
  made: number;
  /**
   * @isInt
   * @example 0
   */
  kept: number;
}

/** What was not carried over. */
export interface LeftOutView {
  /** @example "secrets of the notification team" */
  what: string;
  /** @example "enter them, then enable it" */
  why: string;
}

/** The new ids by the ids in the file. */
export interface NewIds {
  [id: string]: string;
}

/** The ids of each kind. */
export interface IdMapView {
  sensors: NewIds;
  environments: NewIds;
  groups: NewIds;
  dashboards: NewIds;
}

/** An import of a file. */
export interface ImportView extends ArchiveView {
  /**
   * The bytes of the file that have arrived.
   * @isLong
   * @example 48213
   */
  bytes: number;
  /**
   * The number of data points that are stored so far.
   * @isLong
   * @example 1440000
   */
  points: number;
  sensors: CountsView;
  services: CountsView;
  environments: CountsView;
  groups: CountsView;
  dashboards: CountsView;
  /** Notifications, triggers and mutes. */
  rules: CountsView;
  /** Only in the record of one import. */
  ids?: IdMapView;
  /** What was not carried over, at most 1,000; only in the record of one import. */
  left_out?: LeftOutView[];
}

/** The response with one import. */
export interface ImportResponse {
  import: ImportView;
}

/** The response with a page of imports. */
export interface ImportsResponse extends PageTotal {
  imports: ImportView[];
}

export function toListedImportView(archive: Archive): ImportView {
  const { bytes, points, counts }: ImportProgress = JSON.parse(archive.progress);
  return { ...toArchiveView(archive), bytes, points, ...counts };
}

export function toImportView(archive: Archive): ImportView {
  const { ids, left }: ImportProgress = JSON.parse(archive.progress);
  const records = [
    { what: 'alerts, history and account', why: 'they are records to read' },
    { what: 'members of groups', why: 'they join by themselves' },
  ];
  return { ...toListedImportView(archive), ids, left_out: [...left, ...records] };
}
