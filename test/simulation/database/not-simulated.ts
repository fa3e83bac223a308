/** The platform uses a feature of MySQL that the simulated database lacks and must be given. */
export class NotSimulated extends Error {
  constructor(what: string) {
    super(`the simulated database does not know ${what}`);
  }
}
