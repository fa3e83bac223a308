import type { ColumnView, Order, Role, Sharing, Understanding } from '../../csv/types';
import { formatCount, formatMany } from '../../format';
import { Check, Choices, textOf } from '../../ui/form';
import { Table } from '../../ui/table';
import { ZoneField } from '../../ui/zone-field';
import type { Reading } from './use-reading';
import { kindOfSensor, kindText, layoutText, leftOutText, ROLES, summaryText, twiceText } from './words';

/** The reading of a file, with its choices, before anything is stored. `dataType` is the type of an existing sensor. */
export function Preview({ reading, dataType }: { reading: Reading; dataType?: string }) {
  const { understanding } = reading;
  if (!understanding) return null;
  return (
    <section class="stack reading" aria-label="What is understood of the file" aria-busy={reading.isBusy}>
      <p role="status">
        <strong>{summaryText(understanding)}</strong>{' '}
        {dataType !== undefined && `Values: ${kindText(understanding.kind)}.`}{' '}
        <span class="quiet">{layoutText(understanding)}</span>
      </p>
      {dataType !== undefined && <OtherKind understanding={understanding} dataType={dataType} />}
      <LeftOutLines understanding={understanding} />
      {understanding.twice.lines > 0 && <p class="message warn">{twiceText(understanding)}</p>}
      <AskOrder understanding={understanding} reading={reading} />
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
      The sensor’s kind of values is “{kindText(known)}”, and that of the file is “{kindText(kind)}”. Rules of its
      triggers may not suit them.
    </p>
  );
}

function LeftOutLines({ understanding: { leftOut, zone } }: { understanding: Understanding }) {
  if (leftOut.length === 0) return null;
  const count = leftOut.reduce((sum, one) => sum + one.count, 0);
  return (
    <div class="message warn">
      <p>
        {formatMany(count, 'line')} {count === 1 ? 'is' : 'are'} left out:
      </p>
      <ul>
        {leftOut.map((one) => (
          <li key={one.reason} class="breakable">
            {leftOutText(one, zone)}
            {one.reason === 'cells' && ' A decimal comma needs quotation marks, or semicolons between the cells.'}
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
      <span class="label">Which comes first in {order.example}?</span>
      <Choices<Order>
        label="Day or month first"
        value={order.chosen}
        onValue={(chosen) => reading.choose({ order: chosen })}
        options={[
          ['day', 'The day'],
          ['month', 'The month'],
        ]}
      />
      {!order.chosen && <span class="hint">The file does not say it. Choose one to go on.</span>}
    </div>
  );
}

function Zone({ understanding: { zone, zoneOfFile }, reading }: Part) {
  return (
    <ZoneField
      label="Time zone of the dates"
      hint="Dates in the file do not say it."
      value={zone}
      onValue={(chosen) => reading.choose({ zone: chosen })}
      likely={zoneOfFile ? { zone: zoneOfFile, why: 'the file says so' } : undefined}
    />
  );
}

/** The treatment of lines that would be one point, and of lines that are ahead. */
function LinesOfOneDate({ understanding: { shared, long, ahead }, reading }: Part) {
  return (
    <>
      {long && (
        <Check
          label={`A field for each name in “${long.column}”`}
          hint={`(${formatCount(long.names.length)}: ${long.names.slice(0, 6).join(', ')}${long.names.length > 6 ? ' …' : ''})`}
          checked={long.used}
          onChecked={(used) => reading.choose({ long: used })}
        />
      )}
      {shared.lines > 0 && (
        <div class="field">
          <span class="label">
            {formatMany(shared.lines, 'line')} share {formatMany(shared.dates, 'date')} (lines{' '}
            {shared.examples.join(', ')}
            {shared.lines > shared.examples.length && ' and so on'})
          </span>
          <Choices<Sharing>
            label="Lines of one date"
            value={shared.sharing}
            onValue={(sharing) => reading.choose({ sharing })}
            options={[
              ['apart', 'Keep all'],
              ['last', 'Keep the last'],
            ]}
          />
          <span class="hint">
            {shared.sharing === 'apart'
              ? 'All are kept: they get dates a millisecond apart, in the order of the file.'
              : 'Of each date the last line is kept; the others are not stored.'}
          </span>
        </div>
      )}
      {ahead > 0 && (
        <Check
          label={`Store what is more than a day ahead, too (${formatMany(ahead, 'line')})`}
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
      caption="Columns of the file"
      rows={columns}
      keyOf={({ at }) => String(at)}
      columns={[
        {
          name: 'Column',
          cell: ({ name, note }) => (
            <>
              <strong>{name}</strong>
              {note && <div class="hint">{note}</div>}
            </>
          ),
        },
        {
          name: 'First value',
          cell: ({ written, read }) => (
            <span class="numbers">{read === '' || read === written.trim() ? written : `${written} → ${read}`}</span>
          ),
        },
        { name: 'Is', cell: (column) => <RoleOf column={column} reading={reading} /> },
      ]}
    />
  );
}

const CHOICES: readonly Role[] = ['number', 'boolean', 'text', 'date', 'unused'];

function RoleOf({ column: { at, name, role }, reading }: { column: ColumnView; reading: Reading }) {
  if (role === 'date' || role === 'variable') return <>{ROLES[role]}</>;
  const options = CHOICES.includes(role) ? CHOICES : [role, ...CHOICES];
  const choose = (chosen: Role | undefined) => {
    if (!chosen) return;
    // Only one column is the date: the previous one gets the role of its cells.
    const others = Object.entries(reading.choices.roles ?? {}).filter(([, one]) => one !== 'date' || chosen !== 'date');
    reading.choose({ roles: { ...Object.fromEntries(others), [at]: chosen } });
  };
  return (
    <select
      class="input"
      aria-label={`What ${name} is`}
      value={role}
      onChange={(event) => choose(options.find((one) => one === textOf(event)))}
    >
      {options.map((one) => (
        <option key={one} value={one}>
          {ROLES[one]}
        </option>
      ))}
    </select>
  );
}
