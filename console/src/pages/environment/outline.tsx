import { useMemo, useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';
import { areaText } from '../environments';
import { type Corner, type Plane, planeAround, readOutline, writeOutline } from '../environments/geometry';
import { mapSource } from '../environments/map';
import { PlaneEditor } from '../environments/plane';

type Environment = Records['EnvironmentView'];

const GREENWICH = { latitude: 51.4779, longitude: 0 };

/** The fields of an environment, and its outline to draw. */
export function Outline({ environment, onSaved }: { environment: Environment; onSaved: () => void }) {
  const [corners, setCorners] = useState<Corner[]>(() => readOutline(environment.gps_outline));
  const [name, setName] = useState(environment.name);
  const [floors, setFloors] = useState(environment.floors === null ? '' : String(environment.floors));
  const [position, setPosition] = useState(environment.position);
  const submit = async () => {
    if (corners.length > 0 && corners.length < 3) throw new Error('An outline has at least three corners.');
    const fields = {
      name,
      ...(floors && { floors: Number(floors) }),
      ...(position && { position }),
      ...(corners.length > 0 && { gps_outline: writeOutline(corners) }),
    };
    const path = { id: environment.id };
    await ask(api.put('/environments/{id}', { params: { path }, body: { environment: fields } }));
    say('Saved.');
    onSaved();
  };
  return (
    <Form label="Save" submit={submit}>
      <Field label="Name" value={name} onValue={setName} required />
      <Field label="Floors" type="number" min={0} value={floors} onValue={setFloors} />
      <Field
        label="Position"
        hint="Latitude and longitude of its middle, 52.3702 4.8952 for instance."
        value={position}
        onValue={setPosition}
      />
      <Drawing saved={environment.gps_outline} position={position} corners={corners} onCorners={setCorners} />
    </Form>
  );
}

function Drawing({
  saved,
  position,
  corners,
  onCorners,
}: {
  saved: string;
  position: string;
  corners: readonly Corner[];
  onCorners: (corners: Corner[]) => void;
}) {
  const [zoom, setZoom] = useState(1);
  const [map] = useState(mapSource);
  const [showsMap, setShowsMap] = useState(true);
  const centre = useMemo(() => readOutline(position)[0], [position]);
  // The plane does not move while corners are moved; a new position or zoom draws another one.
  const plane = useMemo(() => {
    const around = planeAround(readOutline(saved), centre ?? GREENWICH);
    return { ...around, reach: around.reach * zoom };
  }, [saved, centre, zoom]);
  return (
    <div class="field">
      <span class="label">Outline</span>
      <PlaneEditor corners={corners} plane={plane} map={showsMap ? map : undefined} onCorners={onCorners} />
      <span class="hint">
        Click to add a corner; drag corners, or move them with the arrow keys. {areaText(writeOutline(corners))}.
      </span>
      <Tools
        plane={plane}
        corners={corners}
        onCorners={onCorners}
        onZoom={(factor) => setZoom(zoom * factor)}
        map={map && { shown: showsMap, onShown: setShowsMap }}
      />
    </div>
  );
}

function Tools({
  plane,
  corners,
  onCorners,
  onZoom,
  map,
}: {
  plane: Plane;
  corners: readonly Corner[];
  onCorners: (corners: Corner[]) => void;
  onZoom: (factor: number) => void;
  map: { shown: boolean; onShown: (shown: boolean) => void } | undefined;
}) {
  const tool = (text: string, act: () => void) => (
    <button type="button" class="button small-button" onClick={act}>
      {text}
    </button>
  );
  return (
    <div class="actions">
      {tool('Add a corner', () => onCorners([...corners, { ...plane.centre, rest: '' }]))}
      {tool('Zoom out', () => onZoom(2))}
      {tool('Zoom in', () => onZoom(1 / 2))}
      {tool('Clear', () => onCorners([]))}
      {map && (
        <button
          type="button"
          class="button small-button"
          aria-pressed={map.shown}
          onClick={() => map.onShown(!map.shown)}
        >
          Map
        </button>
      )}
    </div>
  );
}
