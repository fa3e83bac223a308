import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { useDraft } from '../../drafts';
import { t } from '../../language';
import { Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';
import { areaText } from '../environments';
import { type Corner, cornersOf, type Plane, planeAround, readOutline, writeOutline } from '../environments/geometry';
import { mapSource } from '../environments/map';
import { type FloorPlan, Picture } from '../environments/picture';
import { PlaneEditor } from '../environments/plane';
import type { Place } from './load';
import { PictureFields, RemovePicture } from './picture-fields';
import { GREENWICH } from './template';

/** The fields of an environment, its outline to draw, and the picture behind it. */
export function Outline({ environment, plan: saved, reload }: Place & { reload: () => void }) {
  const { id } = environment;
  const [{ name, floors, position, corners }, setFields] = useDraft('outline', () => ({
    name: environment.name,
    floors: environment.floors === null ? '' : String(environment.floors),
    position: environment.position,
    corners: readOutline(environment.gps_outline),
  }));
  const [plan, setPlan] = useState(saved);
  useEffect(() => setPlan(saved), [saved?.date]);
  const set = (changes: Partial<{ name: string; floors: string; position: string; corners: Corner[] }>) =>
    setFields({ name, floors, position, corners, ...changes });
  const submit = async () => {
    if (corners.length > 0 && corners.length < 3) throw new Error(t('An outline has at least three corners.'));
    const fields = {
      name,
      ...(floors && { floors: Number(floors) }),
      ...(position && { position }),
      ...(corners.length > 0 && { gps_outline: environment.gps_outline.replace(/^[^;]*/, writeOutline(corners)) }),
    };
    await ask(api.put('/environments/{id}', { params: { path: { id } }, body: { environment: fields } }));
    if (plan) await savePlan(id, plan);
    say(t('Saved.'));
    reload();
  };
  const onCorners = (moved: Corner[]) => set({ corners: moved });
  return (
    <>
      <Form label={t('Save')} submit={submit}>
        <div class="columns place">
          <Drawing {...{ environment, position, corners, onCorners, plan, saved, onPlan: setPlan }} />
          <div class="form">
            <Field label={t('Name')} value={name} onValue={(value) => set({ name: value })} required />
            <Field
              label={t('Floors')}
              type="number"
              min={0}
              value={floors}
              onValue={(value) => set({ floors: value })}
            />
            <Field
              label={t('Position')}
              hint={t('Latitude and longitude of its middle, for example 52.3702 4.8952.')}
              value={position}
              onValue={(value) => set({ position: value })}
            />
            <PictureFields id={id} plan={plan} onPlan={setPlan} reload={reload} />
          </div>
        </div>
      </Form>
      {saved && <RemovePicture id={id} reload={reload} />}
    </>
  );
}

async function savePlan(id: string, { position, width, rotation }: FloorPlan): Promise<void> {
  const floor_plan = { position, width, rotation };
  await ask(api.put('/environments/{id}/floor_plan', { params: { path: { id } }, body: { floor_plan } }));
}

interface DrawingProps extends Place {
  position: string;
  corners: readonly Corner[];
  onCorners: (corners: Corner[]) => void;
  /** The stored floor plan. `plan` may differ from it by unsaved changes. */
  saved: FloorPlan | undefined;
  onPlan: (plan: FloorPlan) => void;
}

function Drawing({ environment, position, corners, onCorners, plan, saved, onPlan }: DrawingProps) {
  const [zoom, setZoom] = useState(1);
  const [map] = useState(mapSource);
  const [showsMap, setShowsMap] = useState(true);
  const centre = useMemo(() => readOutline(position)[0], [position]);
  // The plane does not move while corners are moved; a new position, picture or zoom draws another one.
  const plane = useMemo(() => {
    const shown = [...readOutline(environment.gps_outline), ...(saved ? cornersOf(saved) : [])];
    const around = planeAround(shown, centre ?? GREENWICH, { least: 3 });
    return { ...around, reach: around.reach * zoom };
  }, [environment.gps_outline, saved, centre, zoom]);
  const middle = plan && readOutline(plan.position)[0];
  return (
    <div class="field">
      <span class="label">{t('Outline')}</span>
      <PlaneEditor
        corners={corners}
        plane={plane}
        map={showsMap ? map : undefined}
        onCorners={onCorners}
        picture={middle && { middle, onMiddle: (to) => onPlan({ ...plan, position: writeOutline([to]) }) }}
      >
        {plan && <Picture id={environment.id} plan={plan} plane={plane} />}
      </PlaneEditor>
      <span class="hint">
        {t('Click to add a corner. Drag corners, or move them with the arrow keys.')} {areaText(writeOutline(corners))}
        {plan && `. ${t('The square in the middle moves the picture.')}`}
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

interface ToolsProps {
  plane: Plane;
  corners: readonly Corner[];
  onCorners: (corners: Corner[]) => void;
  onZoom: (factor: number) => void;
  map: { shown: boolean; onShown: (shown: boolean) => void } | undefined;
}

function Tools({ plane, corners, onCorners, onZoom, map }: ToolsProps) {
  const tool = (text: string, act: () => void) => (
    <button type="button" class="button small-button" onClick={act}>
      {text}
    </button>
  );
  return (
    <div class="actions">
      {tool(t('Add a corner'), () => onCorners([...corners, { ...plane.centre, rest: '' }]))}
      {tool(t('Zoom out'), () => onZoom(2))}
      {tool(t('Zoom in'), () => onZoom(1 / 2))}
      {tool(t('Remove all corners'), () => onCorners([]))}
      {map && (
        <button
          type="button"
          class="button small-button"
          aria-pressed={map.shown}
          onClick={() => map.onShown(!map.shown)}
        >
          {t('Map')}
        </button>
      )}
    </div>
  );
}
