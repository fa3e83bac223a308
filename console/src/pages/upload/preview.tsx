import type { ColumnView, Order, Role, Sharing, Understanding } from '../../csv/types';
import { formatCount } from '../../format';
import { many, t } from '../../language';
import { formatNumber } from '../../quantity';
import { Check, Choices, textOf } from '../../ui/form';
import { Table } from '../../ui/table';
import { ZoneField } from '../../ui/zone-field';
import { kindOfSensor, kindText } from '../sensors/value-kinds';
import type { Reading } from './use-reading';
import { cellsOutText, layoutText, leftOutText, listed, ROLES, summaryText, twiceText } from './words';

/** The reading of a file, with its choices, before anything is stored. `dataType` is the type of an existing sensor. */
export function Preview({ reading, dataType }: { reading: Reading; dataType?: string }) {
  const { understanding } = reading;
  if (!understanding) return null;
  return (
    <section class="stack reading" aria-label={t('How the file is read')} aria-busy={reading.isBusy}>
      <p role="status">
        <strong>{summaryText(understanding)}</strong>{' '}
        {dataType !== undefined && t('Values: {kind}.', { kind: kindText(understanding.kind) })}{' '}
        <span class="quiet">{layoutText(understanding)}</span>
      </p>
      {dataType !== undefined && <OtherKind understanding={understanding} dataType={dataType} />}
      <LeftOutLines understanding={understanding} />
      {understanding.cellsOut.count > 0 && <p class="message warn breakable">{cellsOutText(understanding)}</p>}
      {understanding.twice.lines > 0 && <p class="message warn">{twiceText(understanding)}</p>}
      <AskOrder understanding={understanding} reading={reading} />
      <AskFillers understanding={understanding} reading={reading} />
      {understanding.usesZone && <Zone understanding={understanding} reading={reading} />}
      <LinesOfOneDate understanding={understanding} reading={reading} />
      <Columns understanding={understanding} reading={reading} />
    </section>
  );
}

interface Part {
  understanding: Understanding;
  reading: Reading;
}

function OtherKind({ understanding: { kind }, dataType }: { understanding: Understanding; dataType: string }) {
  const known = kindOfSensor(dataType);
  if (!known || known === kind) return null;
  return (
    <p class="message warn">
      {t(
        'The sensor has values of the kind “{known}”, and the file of the kind “{kind}”. The rules of its triggers may not fit.',
        {
          known: kindText(known),
          kind: kindText(kind),
        },
      )}
    </p>
  );
}

function LeftOutLines({ understanding: { leftOut, zone } }: { understanding: Understanding }) {
  if (leftOut.length === 0) return null;
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  return (
    <div class="message warn">
      <p>{many(count, '{n} line is skipped:', '{n} lines are skipped:')}</p>
      <ul>
        {leftOut.map((one) => (
          <li key={one.reason} class="breakable">
            {leftOutText(one, zone)}
            {one.reason === 'cells' &&
              ` ${t('A decimal comma needs quotation marks, or semicolons between the cells.')}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Asks for the order if all dates of the file can be read in two ways. */
function AskOrder({ understanding: { order }, reading }: Part) {
  if (!order) return null;
  return (
    <div class="field">
      <span class="label">{t('Which comes first in {date}?', { date: order.example })}</span>
      <Choices<Order>
        label={t('Day or month first')}
        value={order.chosen}
        onValue={(chosen) => reading.choose({ order: chosen })}
        options={[
          ['day', t('The day')],
          ['month', t('The month')],
        ]}
      />
      {!order.chosen && <span class="hint">{t('The file does not show it. Choose one to continue.')}</span>}
    </div>
  );
}

/** Asks for each number that may stand for no value. */
function AskFillers({ understanding: { fillers }, reading }: Part) {
  return (
    <>
      {fillers.map(({ name, value, count, isGap }) => (
        <div class="field" key={name}>
          <span class="label">
            {t('“{name}” is {value} in {n} lines, far from all other values. Is it a value?', {
              name,
              value: formatNumber(value),
              n: count,
            })}
          </span>
          <Choices<'value' | 'gap'>
            label={t('Meaning of {name}', { name: formatNumber(value) })}
            value={isGap === undefined ? undefined : isGap ? 'gap' : 'value'}
            onValue={(chosen) => reading.choose({ gaps: { ...reading.choices.gaps, [name]: chosen === 'gap' } })}
            options={[
              ['gap', t('It means that there is no value')],
              ['value', t('It is a value')],
            ]}
          />
          {isGap === undefined && <span class="hint">{t('Choose one to continue.')}</span>}
        </div>
      ))}
    </>
  );
}

function Zone({ understanding: { zone, zoneOfFile }, reading }: Part) {
  return (
    <ZoneField
      label={t('Time zone of the dates')}
      hint={t('The dates in the file do not include it.')}
      value={zone}
      onValue={(chosen) => reading.choose({ zone: chosen })}
      likely={zoneOfFile ? { zone: zoneOfFile, why: t('from the file') } : undefined}
    />
  );
}

/** The treatment of lines that would be one point, and of lines that are ahead. */
function LinesOfOneDate({ understanding: { shared, long, ahead }, reading }: Part) {
  return (
    <>
      {long && (
        <Check
          label={t('A field for each name in “{column}”', { column: long.column })}
          hint={`(${formatCount(long.names.length)}: ${listed(long.names.slice(0, 6), long.names.length)})`}
          checked={long.used}
          onChecked={(used) => reading.choose({ long: used })}
        />
      )}
      {shared.lines > 0 && (
        <div class="field">
          <span class="label">
            {many(
              shared.dates,
              '{lines} lines share {n} date (lines {which})',
              '{lines} lines share {n} dates (lines {which})',
              {
                lines: shared.lines,
                which: listed(shared.examples, shared.lines),
              },
            )}
          </span>
          <Choices<Sharing>
            label={t('Lines with the same date')}
            value={shared.sharing}
            onValue={(sharing) => reading.choose({ sharing })}
            options={[
              ['apart', t('Keep all')],
              ['last', t('Keep the last')],
            ]}
          />
          <span class="hint">
            {t(
              shared.sharing === 'apart'
                ? 'All are kept. Their dates are a millisecond apart, in the order of the file.'
                : 'Only the last line of each date is kept.',
            )}
          </span>
        </div>
      )}
      {ahead > 0 && (
        <Check
          label={many(
            ahead,
            'Also store {n} line dated more than a day ahead',
            'Also store {n} lines dated more than a day ahead',
          )}
          checked={reading.choices.ahead ?? false}
          onChecked={(stored) => reading.choose({ ahead: stored })}
        />
      )}
    </>
  );
}

function Columns({ understanding: { columns }, reading }: Part) {
  return (
    <Table<ColumnView>
      caption={t('Columns of the file')}
      rows={columns}
      keyOf={({ at }) => String(at)}
      columns={[
        {
          name: t('Column'),
          cell: ({ name, note, unit }) => (
            <>
              <strong>{name}</strong>
              {note && <div class="hint">{note}</div>}
              {unit && <div class="hint">{t('Its unit is {unit}.', { unit })}</div>}
            </>
          ),
        },
        {
          name: t('First value'),
          cell: ({ written, read }) => (
            <span class="numbers">{read === '' || read === written.trim() ? written : `${written} → ${read}`}</span>
          ),
        },
        { name: t('Meaning'), cell: (column) => <RoleOf column={column} reading={reading} /> },
      ]}
    />
  );
}

const CHOICES: readonly Role[] = ['number', 'boolean', 'text', 'date', 'time', 'unused'];

function RoleOf({ column: { at, name, role }, reading }: { column: ColumnView; reading: Reading }) {
  if (role === 'date' || role === 'variable') return <>{t(ROLES[role])}</>;
  const options = CHOICES.includes(role) ? CHOICES : [role, ...CHOICES];
  const choose = (chosen: Role | undefined) => {
    if (!chosen) return;
    // Only one column is the date, and one the time: the previous one gets the role of its cells.
    const isOnly = chosen === 'date' || chosen === 'time';
    const others = Object.entries(reading.choices.roles ?? {}).filter(([, one]) => one !== chosen || !isOnly);
    reading.choose({ roles: { ...Object.fromEntries(others), [at]: chosen } });
  };
  return (
    <select
      class="input"
      aria-label={t('Meaning of {name}', { name })}
      value={role}
      onChange={(event) => choose(options.find((one) => one === textOf(event)))}
    >
      {options.map((one) => (
        <option key={one} value={one}>
          {t(ROLES[one])}
        </option>
      ))}
    </select>
  );
}
