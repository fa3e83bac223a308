import type { Records } from '../api';
import type { Place } from './grid';

export type Selector = Records['SelectorView'];
/** A public tile does not say which sensors it shows. */
export type Tile = Records['PublicTileView'] & {
  sensors?: string[];
  selector?: Selector | null;
  environment?: string | null;
};
export type TileData = Records['TileDataView'];
export type TileSensor = Records['TileSensorView'];
export type Kind = Tile['kind'];

/** Where a board gets the data of its tiles from: the API with the session, or a public link. */
export interface Source {
  /** Distinguishes boards. */
  key: string;
  read(tile: number, signal: AbortSignal): Promise<TileData>;
  /** Called when the tiles have changed elsewhere, or cannot be read any more. */
  onChanged(): void;
  /** Calls `act` for new points of these sensors, or, without any, for alerts; returns how to stop. */
  listen?(sensors: readonly string[], act: () => void): () => void;
  /** The address of the picture of a tile with a plan. */
  pictureOf(tile: number): string;
  /** The address of a page of the console, if its readers may see it. */
  linkTo?(path: string): string;
}

/** What a tile is drawn from. */
export interface ViewProps {
  tile: Tile;
  data: TileData;
  /** Seconds. */
  now: number;
  title: string;
  linkTo: Source['linkTo'];
  /** The address of the picture of a plan. */
  picture: string;
}

/** The size of a new tile of each kind. */
export const SIZES: Readonly<Record<Kind, Pick<Place, 'w' | 'h'>>> = {
  chart: { w: 6, h: 5 },
  value: { w: 3, h: 3 },
  state: { w: 3, h: 4 },
  counts: { w: 4, h: 3 },
  alerts: { w: 6, h: 4 },
  plan: { w: 6, h: 7 },
  note: { w: 3, h: 2 },
};

/** A tile without a place of its own yet. */
export const NEW_TILE: Tile = {
  kind: 'chart',
  sensors: [],
  selector: null,
  environment: null,
  fields: [],
  range: 86_400,
  text: '',
  x: 0,
  y: 0,
  ...SIZES.chart,
};
