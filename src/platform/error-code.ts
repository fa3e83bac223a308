/** The name of a kind of error, for programs. Names never change; new ones may be added. */
export type ErrorCode =
  // 400
  | 'invalid_input'
  | 'unparsable_json'
  | 'broken_encoding'
  | 'aborted'
  | 'bad_path'
  | 'bad_request'
  | 'dead_token'
  // 401
  | 'no_session'
  | 'login_refused'
  | 'invalid_token'
  | 'second_factor_required'
  | 'wrong_code'
  | 'oauth_refused'
  // 403
  | 'forbidden'
  | 'account_disabled'
  | 'insufficient_scope'
  | 'session_required'
  | 'wrong_password'
  | 'password_required'
  | 'login_required'
  | 'second_factor_missing'
  | 'passkey_refused'
  | 'foreign_page'
  | 'registration_closed'
  // 404, 405, 408
  | 'not_found'
  | 'unknown_path'
  | 'wrong_method'
  | 'too_complex'
  | 'too_slow'
  | 'conflict'
  | 'cycle'
  | 'username_taken'
  // 413, 415, 429, 431
  | 'too_large'
  | 'unreadable_encoding'
  | 'unreadable_charset'
  | 'unreadable_type'
  | 'rate_limited'
  | 'headers_too_large'
  // 500, 503
  | 'internal_error'
  | 'unavailable';
