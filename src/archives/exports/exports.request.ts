/** What lets secrets leave. */
export interface ExportedSecrets {
  /**
   * The password of the account, as an MD5 digest.
   * @pattern ^[0-9a-fA-F]{32}$ must be an MD5 digest: 32 hexadecimal digits
   * @example "5f4dcc3b5aa765d61d8327deb882cf99"
   */
  password: string;
  /**
   * Encrypts the secrets in the file.
   * @minLength 12
   * @maxLength 1000
   * @example "correct horse battery staple"
   */
  passphrase: string;
}

/** What an export holds. */
export interface ExportFields {
  /** Also writes the values of headers and secrets of notifications, encrypted. Needs a session. */
  secrets?: ExportedSecrets;
}

/**
 * Asks for an export.
 * @example {"export": {}}
 */
export interface CreateExportRequest {
  export?: ExportFields;
}

/** What a link to a file brings. */
export interface FileQuery {
  /**
   * The token of the link.
   * @minLength 1
   * @maxLength 1000
   * @example "9rZ"
   */
  token: string;
}
