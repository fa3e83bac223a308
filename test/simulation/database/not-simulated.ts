/** The platform uses something of MySQL that the simulated database does not have: it is to be taught. */
export class NotSimulated extends Error {
  constructor(what: string) {
    super(`the simulated database does not know ${what}`);
  }
}
