// The one table of everything that can go wrong: code → status, title, and the page that
// `/problems/<code>` shows. An answer carries them as RFC 9457 problem details; the detail, written
// where the error is thrown, tells the caller what to do.

export interface Problem {
  readonly status: number
  readonly title: string
  /** Shown at /problems/<code>: what happened, and what the caller can do about it. */
  readonly explanation: string
}

function problem(status: number, title: string, explanation: string): Problem {
  return { status, title, explanation }
}

export const PROBLEMS = {
  'module-renamed': problem(
    308,
    'The module has another name',
    'The address holds a name that the module had before. Send the same request to the address in Location; the detail names it, too.',
  ),
  'bad-request': problem(
    400,
    'The request is malformed',
    'A part of the request could not be read: a header, a query parameter or a path segment. The detail names it.',
  ),
  'bad-json': problem(
    400,
    'The body is not acceptable JSON',
    'The body must be JSON in UTF-8: one object, or a list of them where the documents say so, without duplicate keys, nested at most 32 deep. The detail says where the reading stopped.',
  ),
  'bad-qry': problem(
    400,
    'The search is not understood',
    'A search parameter (qry, start, length, cursor, orderStr, orderDir, table_filter, fields, count) has a field, operator or value that is not known, or asks to sort too many records by several fields. The detail names the place and what is accepted there.',
  ),
  'ambiguous-column': problem(
    400,
    'Column is ambiguous',
    'The identifier of an entry cannot be filtered by its bare name. Use the qualified name, for example {"datatable_entry.datatable_entry_id": 5}, or read the entry with ?fields=*.',
  ),
  'bad-multipart': problem(
    400,
    'The form is not acceptable',
    'An upload is a multipart/form-data body with exactly one part Filedata (the bytes, with a file name) and exactly one of asset_file_id or asset_category_id. The detail names the part that is wrong.',
  ),
  'prefetch-refused': problem(
    400,
    'Publishing cannot be prefetched',
    'This address changes what visitors see, so it does not answer to prefetch or prerender requests. Send a normal request.',
  ),
  'invalid-request': problem(
    400,
    'The Authorization header is malformed',
    'Send exactly one header "Authorization: Bearer <API_KEY>".',
  ),
  'key-required': problem(
    401,
    'An API key is required',
    'Send the header "Authorization: Bearer <API_KEY>". A key is made with "cms-server key create".',
  ),
  'key-invalid': problem(
    401,
    'The API key is not valid',
    'The key is unknown, inactive, expired or revoked, or its user is disabled. Make a new one with "cms-server key create", or rotate it.',
  ),
  'sign-in-failed': problem(
    401,
    'Nobody could be signed in',
    'The name and the password are not those of an active user who has a password. Which of them is wrong is not told. An administrator can set another password, at /admin or with "cms-server user password".',
  ),
  'code-required': problem(
    401,
    'A code is asked for, too',
    'The name and the password are right, and the user has a second factor: send the same once more with "code", the six digits that the authenticator shows, or a recovery code.',
  ),
  'code-wrong': problem(
    401,
    'The code is wrong',
    'The name and the password are right, and the code is not. A code is good once, and for about a minute: wait for the next one, and see that the clock of the device is right. Who has neither the device nor a recovery code asks an administrator, or whoever runs the server: "cms-server user second-factor NAME --remove".',
  ),
  'oidc-refused': problem(
    401,
    'The provider has signed nobody in',
    'The provider of identities has refused, or its answer is not one to a sign-in that was begun in this browser within ten minutes, or comes a second time. Begin the sign-in again.',
  ),
  'session-over': problem(
    401,
    'The session is over',
    'There is no cookie of a session, or that session has ended: by signing out, by another password, or by time. Sign in again.',
  ),
  'welcome-over': problem(
    401,
    'The link of the first start is over',
    'The link is good once, for an hour, while the user admin has no password. Start the server again to get another one, or set the password with "cms-server user password admin".',
  ),
  'session-required': problem(
    403,
    'This is for people alone',
    'The address is for somebody who has signed in, and not for a key that was made for a program.',
  ),
  'oidc-no-user': problem(
    403,
    'Nobody here has this address',
    'The provider of identities must vouch for an address of mail (email_verified), and exactly one active user must have it as "email". An administrator can enter it. Users are not made by signing in.',
  ),
  'cross-site': problem(
    403,
    'The request came from a page of another site',
    'Browsers may sign in, renew and sign out from pages of this server alone. A program sends no header Origin or Sec-Fetch-Site.',
  ),
  'ticket-as-code': problem(
    403,
    'A ticket loads no code',
    'A browser asked for this address as a script, a style sheet or another form of code (header Sec-Fetch-Dest). An address with a ticket is for pictures, films, sounds and links to save: use it in one of these, or send the key in a header.',
  ),
  'grant-missing': problem(
    403,
    'The key lacks a grant',
    'The detail names the grant and the folder. A user with the admin grant can widen the role of the user or the grants of the key.',
  ),
  'change-log-gone': problem(
    410,
    'The changes since then are gone',
    'The log of changes is kept for a time, and one that was restored from a backup is another one. Read the lists that you follow anew, and go on from the position that the member next holds.',
  ),
  'not-found': problem(
    404,
    'Not found',
    'There is nothing at this address, or the key may not see it. Search the list of the object for the current identifiers.',
  ),
  'not-published': problem(
    404,
    'Not published',
    'The file exists, but no version of it is live. Publish it, or read the staged version with ?state=stage.',
  ),
  'method-not-allowed': problem(
    405,
    'The method is not allowed here',
    'The header Allow lists the methods of this address.',
  ),
  'not-acceptable': problem(
    406,
    'No acceptable representation',
    'This address answers application/json (errors: application/problem+json). Accept one of them, or send no Accept header.',
  ),
  'request-timeout': problem(
    408,
    'The request took too long',
    'Headers must arrive within 10 seconds and a JSON body within 30. Open a new connection and send the request again.',
  ),
  'name-taken': problem(
    409,
    'The name is taken',
    'Names of files and folders are unique in their folder (a live version keeps its name there until another is published), those of users on the whole site, compared without regard to case. The detail names the record that has it: update that one, or choose another name.',
  ),
  'address-taken': problem(
    409,
    'The address is taken',
    'A file and a folder of an earlier build can have the same number, and a file in the folder is live at the address /file/{number}/{name} that the change would give to the file with that number. Choose another name, or rename the other file.',
  ),
  'not-unique': problem(
    409,
    'The value is not unique',
    'The values of a column that is UNIQUE, KEY or AUTO are unique in its module; several entries may have none. The member errors lists each value that another entry has, with a JSON pointer and the identifier of that entry: change that entry, or send another value.',
  ),
  'not-empty': problem(
    409,
    'The folder is not empty',
    'The detail counts what the folder holds. Delete or move it first, or send ?recursive=true to delete the whole subtree.',
  ),
  'schema-conflict': problem(
    409,
    'The columns do not fit the entries',
    'The change of table_schema would lose values or leave entries that do not fit. The detail counts them; ?dry_run=true tells the whole plan and changes nothing. Columns with values are dropped with ?confirm=drop.',
  ),
  'record-changed': problem(
    409,
    'The record has changed since it was read',
    'The body is a whole record, and its read-only fields are not those of the record now, so somebody has changed it. The detail and the member errors name what has changed. Read the record again and send the fields that you want to change. Send If-Match to be refused with 412 before.',
  ),
  'in-use': problem(
    409,
    'The record is needed',
    'The detail names what still needs this record. Change that first.',
  ),
  'idempotency-key-in-use': problem(
    409,
    'The first request is still running',
    'A request with this Idempotency-Key has not been answered yet. Send it again after the number of seconds in Retry-After, to get its answer.',
  ),
  'answer-lost': problem(
    409,
    'The request was carried out before',
    'The request with this Idempotency-Key has made its change, but its answer cannot be told again: it held a secret, or what it made is gone. The detail names what was made. To do the same once more, send it with a new key.',
  ),
  'precondition-failed': problem(
    412,
    'The record has changed',
    'The ETag in If-Match is not that of the current record. Read the record again, merge, and send the change with the new ETag.',
  ),
  'too-large': problem(
    413,
    'The content is too large',
    'The detail names the limit and its setting. Files of any size up to the upload limit go through POST /upload.',
  ),
  'uri-too-long': problem(
    414,
    'The address is too long',
    'An address may have at most 8,192 bytes. A long search is sent by POST to the address of the list with /search behind it, its parameters as JSON in the body.',
  ),
  'unsupported-media-type': problem(
    415,
    'The media type is not supported',
    'Bodies are application/json in UTF-8, uploads multipart/form-data, both without Content-Encoding.',
  ),
  'range-not-satisfiable': problem(
    416,
    'The range is not satisfiable',
    'The requested range begins after the end of the file. The header Content-Range tells its size.',
  ),
  'invalid-content': problem(
    422,
    'The content is not valid',
    'The body was read, but some of its properties are not acceptable. The member errors lists each with a JSON pointer and what is accepted.',
  ),
  'stml-invalid': problem(
    422,
    'The STML is not well formed',
    'A page of type stml has one root element, a div with id="dd.0", and balanced tags. The detail gives line and column.',
  ),
  'idempotency-key-reused': problem(
    422,
    'The Idempotency-Key belongs to another request',
    'Within 24 hours a key stands for one request: its method, its address and its body. Send the request as it was, or take a new key.',
  ),
  'too-many-requests': problem(
    429,
    'Too many requests',
    'The detail says of what there was too much: requests of one key or user in a second; keys that keys of one user make or change; keys that are not valid, from one address; open connections of one address; or running requests, uploads, or memory for bodies and for answers that were not read yet, of one key, user or address. Wait for the number of seconds in the header Retry-After, then try again.',
  ),
  'headers-too-large': problem(
    431,
    'The request headers are too large',
    'The address and all headers together may have 16 KiB, the headers at most 100 lines. A long search is sent by POST to the address of the list with /search behind it, its parameters as JSON in the body.',
  ),
  internal: problem(
    500,
    'Something went wrong in the server',
    'The request changed nothing. Give the request_id to the operator: the log has the reason under it.',
  ),
  'content-damaged': problem(
    500,
    'The stored content is damaged',
    'The bytes on disk are not those that were saved, so they are not served. The operator finds the damage with "cms-server check".',
  ),
  'record-damaged': problem(
    500,
    'The stored record is damaged',
    'The checksum of a record is wrong, so it is not served. The operator finds the damage with "cms-server check".',
  ),
  'not-implemented': problem(
    501,
    'The method is not implemented',
    'The server answers GET, HEAD, POST, PATCH, DELETE and OPTIONS.',
  ),
  unavailable: problem(
    503,
    'The server is not available',
    'The server is starting, stopping or busy, has no room in memory for another body, upload or connection, or its disk does not answer. Nothing was changed. Try again after the number of seconds in Retry-After.',
  ),
  'oidc-unavailable': problem(
    503,
    'The provider of identities does not answer',
    'The provider was asked, and did not answer in time or as one. Try again later, or sign in with a password. The log has the reason.',
  ),
  'outcome-unknown': problem(
    503,
    'The outcome is unknown',
    'The storage failed while the change was committed: it may or may not have happened. Read the record and compare its ETag before trying again.',
  ),
  'read-only': problem(
    503,
    'The server takes no changes',
    'The server was started for reading alone (--read-only), or a disk has failed to write. Nothing was changed, and no change is taken until the operator has started the server without --read-only, or has looked at the disk and started it again; reads go on.',
  ),
  'disk-full': problem(
    507,
    'The disk is full',
    'Nothing was changed. Reads and deletes go on working; new content is accepted when the operator has made room.',
  ),
} as const satisfies Record<string, Problem>

export type ErrorCode = keyof typeof PROBLEMS

/** One fault of a body: where (RFC 6901 pointer) and what is accepted there. */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

export interface ErrorFacts {
  /** All faults of a body at once. */
  readonly errors?: readonly Fault[]
  /** Further members of the problem document, for example the identifier that has a name. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Headers that belong to the answer, for example Allow. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** The only error class. The message is the detail: it tells the caller what to do, and names no path or secret. */
export class CmsError extends Error {
  readonly code: ErrorCode
  readonly facts: ErrorFacts

  constructor(code: ErrorCode, detail: string, facts: ErrorFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'CmsError'
    this.code = code
    this.facts = facts
  }

  get status(): number {
    return PROBLEMS[this.code].status
  }
}

/**
 * Thrown where a process that reads beside the one that writes cannot answer by itself: the request is handed over to
 * that one, as it came (processes/hand-over.ts). Nothing of its body has been read then.
 */
export class HandOver extends Error {}

export function isNotFound(error: unknown): boolean {
  return error instanceof CmsError && error.code === 'not-found'
}

/** Of work that nobody waits for any more; only the log shows it. */
export function requestEnded(): CmsError {
  return new CmsError('unavailable', 'The request has ended before its answer was made.')
}
