import { refusedIn } from '../refused-archive';
import type { LeftOut } from './import-progress';
import type { Importing } from './importing';
import { readText } from './lines';
import { allLines } from './thing-steps';

const ENTRY = 'rules.yaml';
const MOST_BYTES = 20_000_000;

/** Adds the rules that the account does not have, document by document. */
export async function addRules(importing: Importing): Promise<boolean> {
  const { services, readModel, work, database, zip, caller } = importing;
  const text = await readText(zip, ENTRY, MOST_BYTES);
  if (text === undefined) return true;
  const documents = await services.archivedRules.read(text, readModel);
  const sensorOf = await sensorsByReference(importing);
  const secrets = await importing.secrets();
  for (const document of documents.slice(work.progress.line)) {
    await work.together(database.sequelize, async () => {
      const left: LeftOut[] = [];
      const leaveOut = (what: string, why: string) => void left.push({ what, why });
      const context = { readModel, sensorOf, secrets, leaveOut };
      const { added, kept } = await services.archivedRules.add(caller, document, context).catch((error: unknown) => {
        throw refusedIn(ENTRY, error);
      });
      const { counts, line } = work.progress;
      const rules = { made: counts.rules.made + added, kept: counts.rules.kept + kept };
      return { counts: { ...counts, rules }, line: line + 1, left: importing.leftOut(...left) };
    });
    if (importing.isOver()) return false;
  }
  return true;
}

/** Documents name sensors by their names, or by their ids if several have the name. */
async function sensorsByReference(importing: Importing): Promise<(reference: string) => string | undefined> {
  const { records } = importing;
  const ids = new Map<string, string | undefined>();
  for (const { id, name } of await allLines(importing, 'sensors.ndjson', (line) => records.sensor(line)))
    ids.set(name, ids.has(name) ? undefined : id);
  return (reference) => {
    // A document never writes a name that reads as an id.
    const old = /^\d+$/.test(reference) ? reference : ids.get(reference);
    const id = old === undefined ? undefined : importing.idOf('sensors', old);
    return id === undefined ? undefined : String(id);
  };
}
