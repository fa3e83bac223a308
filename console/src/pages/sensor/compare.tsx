import { useState } from 'preact/hooks';
import { sensorName } from '../../format';
import { t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { PickSensors } from '../../ui/pick-sensors';

/** More lines could not be distinguished. */
const MOST = 5;

/** Adds other sensors to the chart. */
export function Compare({
  except,
  chosen,
  onChosen,
}: {
  except: readonly string[];
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
}) {
  return (
    <DialogButton text={t('Compare with …')} title={t('Compare with other sensors')} kind="small-button">
      {(close) => <Picker {...{ except, chosen, onChosen, close }} />}
    </DialogButton>
  );
}

function Picker({
  except,
  chosen,
  onChosen,
  close,
}: {
  except: readonly string[];
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
  close: () => void;
}) {
  const [ids, setIds] = useState(chosen);
  return (
    <Form
      label={t('Show')}
      onCancel={close}
      submit={async () => {
        onChosen([...ids]);
        close();
      }}
    >
      <PickSensors
        label={t('Sensors, at most {n}', { n: MOST })}
        {...{ except, most: MOST }}
        chosen={ids}
        onChosen={setIds}
        nameOf={sensorName}
      />
    </Form>
  );
}
