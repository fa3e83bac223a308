import { useId } from 'preact/hooks';
import { api, ask } from '../../api';
import { t } from '../../language';
import { useAction } from '../../ui/action';
import { DangerButton } from '../../ui/dialog';
import { FileInput } from '../../ui/file-field';
import { Field, Refusal } from '../../ui/form';
import type { FloorPlan } from '../environments/picture';
import { readPicture } from './picture-file';

interface PictureFieldsProps {
  id: string;
  plan: FloorPlan | undefined;
  onPlan: (plan: FloorPlan) => void;
  /** Called when the picture has been uploaded or removed. */
  reload: () => void;
}

/** Uploads the picture behind an outline at once; its width and rotation are saved with the form. */
export function PictureFields({ id, plan, onPlan, reload }: PictureFieldsProps) {
  const field = useId();
  const { busy, error, run } = useAction();
  const params = { path: { id } };
  const upload = (file: File | undefined) =>
    run(async () => {
      if (!file) return;
      const floor_plan = { image: await readPicture(file) };
      await ask(api.put('/environments/{id}/floor_plan', { params, body: { floor_plan } }));
      reload();
    });
  return (
    <>
      <div class="field">
        <label for={field}>{plan ? t('Another picture of the floor plan') : t('Picture of the floor plan')}</label>
        {error !== undefined && <Refusal error={error} />}
        <FileInput
          id={field}
          accept="image/png,image/jpeg,image/webp"
          isDisabled={busy}
          onFile={(file) => void upload(file)}
        />
        <span class="hint" id={`${field}-hint`}>
          {t('Optional. PNG, JPEG or WebP. Only you see it.')}
        </span>
      </div>
      {plan && (
        <>
          <Field
            label={t('Width of the picture in metres')}
            type="number"
            min={0.1}
            step="any"
            value={String(plan.width)}
            onValue={(value) => Number(value) > 0 && onPlan({ ...plan, width: Number(value) })}
          />
          <Field
            label={t('Rotation in degrees')}
            type="number"
            min={-360}
            step="any"
            value={String(plan.rotation)}
            onValue={(value) => onPlan({ ...plan, rotation: Number(value) })}
          />
        </>
      )}
    </>
  );
}

/** It has a form of its own, so it cannot be in another one. */
export function RemovePicture({ id, reload }: { id: string; reload: () => void }) {
  return (
    <div>
      <DangerButton
        text={t('Remove the picture')}
        title={t('Remove the picture?')}
        consequence={t('The outline and the positions of the sensors stay.')}
        act={async () => {
          await ask(api.delete('/environments/{id}/floor_plan', { params: { path: { id } } }));
          reload();
        }}
      />
    </div>
  );
}
