import { toUnixSeconds } from '../../edge/dates';
import type { PageTotal } from '../../edge/paging';
import type { ActorKind, Head } from '../chain/record';
import type { NamedRecord } from './record-names';

/** The user who acted. */
export interface AuditUserView {
  /** @example "3" */
  id: string;
  /**
   * `null` if the account is gone, or if you see the username nowhere else.
   * @example "ada"
   */
  username: string | null;
}

/** With what somebody acted. */
export interface AuditActorView {
  /**
   * `visitor` is a request without a credential: a sign-in, a registration, or a link of a mail. `mqtt_source` made
   * sensors for what its broker sent; `platform` went on with the deletion of an account.
   * @example "key"
   */
  kind: ActorKind;
  /**
   * The id of the session, key, application or MQTT source.
   * @example "4"
   */
  id: string | null;
  /**
   * The name of the key, application, MQTT source or operator; `null` if it is gone, or of another user.
   * @example "gateway"
   */
  name: string | null;
  /**
   * The rule set that was applied.
   * @example null
   */
  rule_set: string | null;
}

/** What a record is about. */
export interface AuditSubjectView {
  /** @example "trigger" */
  kind: string;
  /** @example "5" */
  id: string | null;
  /**
   * At that time.
   * @example "freezer too warm"
   */
  name: string | null;
}

/** The name of something that a record has as an id. */
export interface AuditReferenceView {
  /**
   * The field of `changed`, or `subject` for the name of a subject that has none.
   * @example "group_id"
   */
  field: string;
  /** @example "group" */
  kind: string;
  /** @example "2" */
  id: string;
  /**
   * As it is now.
   * @example "night shift"
   */
  name: string;
}

/** One change, sign-in or refused attempt. */
export interface AuditRecordView {
  /**
   * The number of the record in its chain.
   * @isLong
   * @example 17
   */
  sequence: number;
  /**
   * Unix seconds.
   * @example 1795229544
   */
  date: number;
  /** `null` for operators and visitors. */
  who: AuditUserView | null;
  by: AuditActorView;
  /**
   * `null` where another user acted.
   * @example "192.0.2.7"
   */
  address: string | null;
  /**
   * The name of the operation, or the path of a page.
   * @example "updateTrigger"
   */
  action: string;
  /**
   * The status of the answer that refused it; `null` if it was done, and for a sign-in that was asked for its second factor.
   * @isInt
   * @example null
   */
  refused: number | null;
  /**
   * The number of equal attempts within a minute that the record stands for.
   * @isInt
   * @example 1
   */
  times: number;
  /** `null` for attempts, which changed nothing. */
  subject: AuditSubjectView | null;
  /**
   * Each changed field with its values before and after; `secret` stands for a value that is not shown. Lists show what
   * was removed and what was added.
   * @example {"expression": ["sensor_data_value > 30", "sensor_data_value > 28"]}
   */
  changed: { [field: string]: unknown[] };
  /** Names for ids, of what still exists and you see. */
  references: AuditReferenceView[];
  /**
   * The hash of the record before it.
   * @example "9c1185a5c5e9fc54612808977ee8f548b2258d31ddadef7ad8b4bdf2b3c5c1d6"
   */
  previous: string;
  /**
   * SHA-256 of the record and of `previous`.
   * @example "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
   */
  hash: string;
}

/** The response with a page of records. */
export interface AuditResponse extends PageTotal {
  records: AuditRecordView[];
}

/** The end of a chain. */
export interface AuditHeadView {
  /**
   * The number of the latest record; 0 without any.
   * @isLong
   * @example 17
   */
  sequence: number;
  /**
   * The number of the first record that is kept.
   * @isLong
   * @example 1
   */
  first_kept: number;
  /**
   * Unix seconds of the latest record; `null` without any.
   * @example 1795229544
   */
  date: number | null;
  /**
   * The hash of the latest record. Who keeps it elsewhere can prove later that the records before it are the same.
   * @example "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
   */
  hash: string;
}

/** The response with the end of a chain. */
export interface AuditHeadResponse {
  head: AuditHeadView;
}

export function toAuditRecordView(record: NamedRecord): AuditRecordView {
  const { sequence, who, username, address, action, refused, times, subjectKind, subjectId, subjectName } = record;
  return {
    ...{ sequence, date: toUnixSeconds(record.dateMs), action, refused, times },
    who: who === null ? null : { id: String(who), username },
    by: toActorView(record),
    address,
    subject: subjectKind === null ? null : { kind: subjectKind, id: idOrNull(subjectId), name: subjectName },
    changed: JSON.parse(record.changed),
    references: record.references.map((reference) => ({ ...reference, id: String(reference.id) })),
    ...{ previous: record.previous, hash: record.hash },
  };
}

function toActorView({ byKind: kind, byId, byName, credentialName, ruleSet }: NamedRecord): AuditActorView {
  return { kind, id: idOrNull(byId), name: byName ?? credentialName, rule_set: ruleSet };
}

export function toAuditHeadResponse({ sequence, firstKept, dateMs, hash }: Head): AuditHeadResponse {
  return { head: { sequence, first_kept: firstKept, date: sequence === 0 ? null : toUnixSeconds(dateMs), hash } };
}

function idOrNull(id: number | null): string | null {
  return id === null ? null : String(id);
}
