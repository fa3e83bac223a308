import { type SelectorView, toSelectorView } from '../../alerts';
import type { PageTotal } from '../../edge/paging';
import type { OpenedDashboard, Tile, TileKind } from './dashboard';

/** A tile as a public link shows it, without ids: what it is, and its place on a grid of 12 columns. */
export interface PublicTileView {
  /** @example "chart" */
  kind: TileKind;
  /**
   * The shown fields of JSON values; empty for the whole value.
   * @example ["temperature"]
   */
  fields: string[];
  /**
   * The period that a chart or a value covers, in seconds up to now; `null` for other kinds.
   * @isInt
   * @example 86400
   */
  range: number | null;
  /**
   * The text of a note; for other kinds a title, or `""`.
   * @example "Cold store"
   */
  text: string;
  /**
   * The first column, from 0 to 11.
   * @isInt
   * @example 0
   */
  x: number;
  /**
   * The first row, from 0.
   * @isInt
   * @example 0
   */
  y: number;
  /**
   * The width in columns.
   * @isInt
   * @example 6
   */
  w: number;
  /**
   * The height in rows.
   * @isInt
   * @example 4
   */
  h: number;
}

/** A tile of a dashboard. */
export interface TileView extends PublicTileView {
  /**
   * The ids of its sensors. Some may be invisible to you by now; their data is not available.
   * @example ["42"]
   */
  sensors: string[];
  /** Which of your own sensors it follows; `null` if it names its sensors. */
  selector: SelectorView | null;
  /**
   * The id of the environment of a plan; `null` for other kinds.
   * @example null
   */
  environment: string | null;
}

/** A dashboard of yours. */
export interface DashboardView {
  /** @example "4" */
  id: string;
  /** @example "Cold store" */
  name: string;
  tiles: TileView[];
  /**
   * Counts the changes. A change that names it is refused if there was another one since.
   * @isInt
   * @example 3
   */
  version: number;
  /**
   * The token of the public link, `/console/public/{token}`; `null` without a link.
   * @example null
   */
  public: string | null;
}

/** The response with one dashboard. */
export interface DashboardResponse {
  dashboard: DashboardView;
}

/** The response with a page of dashboards. */
export interface DashboardsResponse extends PageTotal {
  dashboards: DashboardView[];
}

/** A dashboard as its public link shows it. */
export interface PublicDashboardView {
  /** @example "Cold store" */
  name: string;
  tiles: PublicTileView[];
  /**
   * Changes whenever the name or the tiles change.
   * @isInt
   * @example 3
   */
  version: number;
}

/** The response with a public dashboard. */
export interface PublicDashboardResponse {
  dashboard: PublicDashboardView;
}

export function toDashboardView({ id, name, tiles, version, token }: OpenedDashboard): DashboardView {
  return { id: String(id), name, tiles: tiles.map(toTileView), version, public: token };
}

export function toPublicDashboardView({ name, tiles, version }: OpenedDashboard): PublicDashboardView {
  return { name, tiles: tiles.map(toPublicTileView), version };
}

function toTileView(tile: Tile): TileView {
  const { sensors, selector, environment } = tile;
  return {
    ...toPublicTileView(tile),
    sensors: sensors.map(String),
    selector: selector && toSelectorView(selector),
    environment: environment === null ? null : String(environment),
  };
}

function toPublicTileView({ kind, fields, range, text, x, y, w, h }: Tile): PublicTileView {
  return { kind, fields, range, text, x, y, w, h };
}
