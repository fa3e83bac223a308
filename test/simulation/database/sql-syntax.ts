export type Value = string | number | null;

/** A row by the names of its columns. A version of a row is never changed, only replaced. */
export type Row = Readonly<Record<string, Value>>;

export type Expression =
  | { kind: 'literal'; value: Value }
  | { kind: 'parameter'; index: number }
  | { kind: 'column'; table: string | null; name: string }
  | { kind: 'call'; name: string; arguments: Expression[] }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'in'; operand: Expression; items: Expression[] }
  | { kind: 'not'; operand: Expression }
  | { kind: 'is-null'; operand: Expression; negated: boolean }
  | { kind: 'exists'; query: Select }
  /** The first value of a query. */
  | { kind: 'scalar'; query: Select }
  | { kind: 'in-query'; operand: Expression; query: Select }
  /** `COUNT(*)`, or the count, sum, least or greatest of a value over the rows of a group. */
  | { kind: 'aggregate'; name: Aggregate; argument: Expression | null };

export type Aggregate = 'COUNT' | 'SUM' | 'MIN' | 'MAX';

/** One source of a query: a table or a query in brackets, and how it is joined to those before it. */
export interface Source {
  alias: string;
  from: string | Select[];
  join: 'first' | 'inner' | 'left';
  on: Expression | null;
}

export type SelectItem = { kind: 'all'; table: string | null } | { kind: 'value'; value: Expression; name: string };

export interface Select {
  kind: 'select';
  distinct: boolean;
  items: SelectItem[];
  sources: Source[];
  where: Expression | null;
  group: Expression[];
  having: Expression | null;
  order: { by: Expression; descending: boolean }[];
  limit: Expression | null;
  offset: Expression | null;
  lock: 'none' | 'shared' | 'exclusive';
  noWait: boolean;
  skipsLocked: boolean;
  /** After UNION ALL. */
  keepsDuplicates: boolean;
}

export interface Assignment {
  /** The alias of its table, in an UPDATE of several. */
  table: string | null;
  column: string;
  value: Expression;
}

export interface Insert {
  kind: 'insert';
  ignore: boolean;
  table: string;
  columns: string[];
  /** Tuples, one parameter that contains them, or a query of them. */
  tuples: Expression[][] | { parameter: number } | { query: Select };
  onDuplicate: Assignment[] | null;
}

export interface Update {
  kind: 'update';
  /** The rows of some of them are changed. */
  sources: Source[];
  set: Assignment[];
  where: Expression | null;
  limit: Expression | null;
}

export interface Delete {
  kind: 'delete';
  table: string;
  alias: string;
  where: Expression | null;
  limit: Expression | null;
}

/** `SET TRANSACTION …` changes nothing: every transaction here is READ COMMITTED. */
export type Statement = Select | { kind: 'union'; queries: Select[] } | Insert | Update | Delete | { kind: 'set' };
