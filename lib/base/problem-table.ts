// The one table of all problems: code → status, title and the page at `/problems/<code>`. Responses carry them
// as RFC 9457 problem details. The detail is written where the error is thrown and tells the caller what to do.

import { type Problem, problem } from './problem.ts'
import { UPLOAD_PROBLEMS } from './upload-problems.ts'

export const PROBLEMS = {
  'module-renamed': problem(
    308,
    'The module has been renamed',
    'This address uses a former name of the module. Send the same request to the address in the Location header; the detail also gives the current name.',
  ),
  'bad-request': problem(
    400,
    'The request is malformed',
    'A header, a query parameter or a path segment of the request could not be read. The detail names it.',
  ),
  'bad-json': problem(
    400,
    'The request body is not valid JSON',
    'The body must be JSON in UTF-8: one object, or a list of objects where the documentation says so. Duplicate keys are not allowed, and values may be nested at most 32 levels deep. The detail says where parsing stopped.',
  ),
  'bad-qry': problem(
    400,
    'The search is not valid',
    'A search parameter (qry, start, length, cursor, orderStr, orderDir, table_filter, fields, count) has an unknown field, operator or value, or asks to sort too many records by several fields. The detail names the position and the accepted values.',
  ),
  'ambiguous-column': problem(
    400,
    'The column is ambiguous',
    'The identifier of an entry cannot be filtered by its bare name. Use the qualified name, for example {"datatable_entry.datatable_entry_id": 5}, or read the entry with ?fields=*.',
  ),
  'bad-multipart': problem(
    400,
    'The upload form is not valid',
    'An upload is a multipart/form-data body with exactly one part Filedata (the bytes, with a file name) and exactly one of asset_file_id and asset_category_id. The detail names the part that is wrong.',
  ),
  'prefetch-refused': problem(
    400,
    'This address cannot be prefetched',
    'A request to this address changes what visitors see, so prefetch and prerender requests are rejected. Send a normal request.',
  ),
  'invalid-request': problem(
    400,
    'The Authorization header is malformed',
    'Send exactly one header "Authorization: Bearer <API_KEY>".',
  ),
  'key-required': problem(
    401,
    'An API key is required',
    'Send the header "Authorization: Bearer <API_KEY>". Create a key with "cms-server key create".',
  ),
  'key-invalid': problem(
    401,
    'The API key is not valid',
    'The key is unknown, inactive, expired or revoked, or its user is disabled. Rotate the key, or create a new key with "cms-server key create".',
  ),
  'sign-in-failed': problem(
    401,
    'Sign-in failed',
    'The name or the password is wrong, the user is not active, or the user has no password. For security, the response does not say which. An administrator can set a new password at /admin or with "cms-server user password".',
  ),
  'code-required': problem(
    401,
    'A verification code is required',
    'The name and the password are correct, and the user has a second factor. Send the same request again with the member "code": the six digits from the authenticator app, or a recovery code.',
  ),
  'code-wrong': problem(
    401,
    'The verification code is wrong',
    'The name and the password are correct, but the code is not. Each code works once, for about a minute: wait for the next code, and check that the clock of the device is right. A user without the device and without recovery codes can ask an administrator, or the operator, who can run "cms-server user second-factor NAME --remove".',
  ),
  'oidc-refused': problem(
    401,
    'The identity provider rejected the sign-in',
    'The identity provider rejected the sign-in, or its response does not belong to a sign-in that this browser started within the last ten minutes, or the response was already used. Start the sign-in again.',
  ),
  'session-over': problem(
    401,
    'The session has ended',
    'The request has no session cookie, or its session has ended: the user signed out, the password changed, or the session expired. Sign in again.',
  ),
  'link-over': problem(
    401,
    'The link is no longer valid',
    'The link was used, has expired, or was replaced by a newer link or a new password. An administrator can create a new link at /admin or with POST /api/v2/user/{id}/link, and the operator with "cms-server user link NAME". The first-start link works for an hour: restart the server to get a new link.',
  ),
  'session-required': problem(
    403,
    'A signed-in user is required',
    'This address is for a signed-in user, not for an API key that was created for a program. Sign in first.',
  ),
  'oidc-no-user': problem(
    403,
    'No user has this email address',
    'The identity provider must confirm an email address (email_verified), and exactly one active user must have this address as "email". An administrator can enter the address. Signing in does not create users.',
  ),
  'cross-site': problem(
    403,
    'The request came from a page of another site',
    'Browsers may sign in, renew a session and sign out only from pages of this server. A program sends neither an Origin nor a Sec-Fetch-Site header.',
  ),
  'ticket-as-code': problem(
    403,
    'A ticket cannot load code',
    'A browser requested this address as a script, a style sheet or another form of code (header Sec-Fetch-Dest). An address with a ticket is for images, video, audio and downloads. Use the ticket for one of these, or send the key in a header.',
  ),
  'grant-missing': problem(
    403,
    'The key lacks a grant',
    'The detail names the missing grant and the folder. A user with the admin grant can extend the role of the user or the grants of the key.',
  ),
  'change-log-gone': problem(
    410,
    'These changes are no longer available',
    'The change log is kept for a limited time, and a site that was restored from a backup starts a new log. Read the lists that you follow again, then continue from the position in the member next.',
  ),
  'not-found': problem(
    404,
    'Not found',
    'Nothing exists at this address, or the key may not see it. Search the list of the object for the current identifiers.',
  ),
  'not-published': problem(
    404,
    'Not published',
    'The file exists, but none of its versions is live. Publish a version, or read the staged version with ?state=stage.',
  ),
  'method-not-allowed': problem(
    405,
    'The method is not allowed here',
    'The Allow header lists the methods of this address.',
  ),
  'not-acceptable': problem(
    406,
    'No acceptable representation',
    'This address returns application/json (errors: application/problem+json). Accept one of these types, or send no Accept header.',
  ),
  'request-timeout': problem(
    408,
    'The request timed out',
    'Headers must arrive within 10 seconds and a JSON body within 30. Open a new connection and send the request again.',
  ),
  'name-taken': problem(
    409,
    'The name is taken',
    'Names of files and folders are unique in their folder, and a live version keeps its name there until another version is published. Names of users are unique on the whole site. Case is ignored. The detail names the record that has the name: update that record, or choose another name.',
  ),
  'address-taken': problem(
    409,
    'The address is taken',
    'In sites of an earlier build, a file and a folder can have the same number. After this change, a file that is live in the folder and the file with that number would share the address /file/{number}/{name}. Choose another name, or rename the other file.',
  ),
  'not-unique': problem(
    409,
    'The value is not unique',
    'Values of a column that is UNIQUE, KEY or AUTO are unique in their module; several entries may have no value. The member errors lists each value that another entry already has, with a JSON pointer and the identifier of that entry. Change that entry, or send another value.',
  ),
  'count-differs': problem(
    409,
    'The number of records differs',
    'The request matches a different number of records than its member expect says. Such requests are bulk updates and bulk deletes of entries, and the publish, stage and unpublish of a folder. Nothing was changed. The member matched of this response has the real number. Check the qry or the folder, then send the request with the real number.',
  ),
  'not-empty': problem(
    409,
    'The folder is not empty',
    'The detail says how many items the folder contains. Delete or move them first, or send ?recursive=true to delete the whole subtree.',
  ),
  'schema-conflict': problem(
    409,
    'The columns do not fit the entries',
    'The change of table_schema would lose values, or some entries would not fit the new columns. The detail gives their number; ?dry_run=true returns the whole plan and changes nothing. To drop columns that hold values, send ?confirm=drop.',
  ),
  'record-changed': problem(
    409,
    'The record has changed since it was read',
    'The body is a whole record whose read-only fields differ from the current record, so the record was changed after it was read. The detail and the member errors name the differences. Read the record again and send only the fields that you want to change. Send If-Match to get 412 instead.',
  ),
  'in-use': problem(
    409,
    'The record is in use',
    'The detail says why the record is still needed. Remove this cause first.',
  ),
  'idempotency-key-in-use': problem(
    409,
    'The first request is still running',
    'A request with this Idempotency-Key has not been answered yet. To get its response, send the request again after the number of seconds in Retry-After.',
  ),
  'answer-lost': problem(
    409,
    'The request was already carried out',
    'The request with this Idempotency-Key has made its change, but its response cannot be repeated: the response contained a secret, or the created record no longer exists. The detail names what was created. To repeat the change, send the request with a new Idempotency-Key.',
  ),
  'precondition-failed': problem(
    412,
    'The record has changed',
    'The ETag in If-Match does not match the current record. Read the record again, merge, and send the change with the new ETag.',
  ),
  'too-large': problem(
    413,
    'The content is too large',
    'The detail names the limit and its setting. POST /upload accepts files up to the upload limit.',
  ),
  'uri-too-long': problem(
    414,
    'The address is too long',
    'An address may have at most 8,192 bytes. Send a long search by POST to the address of the list followed by /search, with its parameters as JSON in the body.',
  ),
  'unsupported-media-type': problem(
    415,
    'The media type is not supported',
    'Request bodies are application/json in UTF-8, and uploads are multipart/form-data. Content-Encoding is not supported.',
  ),
  'range-not-satisfiable': problem(
    416,
    'The range is not satisfiable',
    'The requested range begins after the end of the file. The Content-Range header gives the size of the file.',
  ),
  'invalid-content': problem(
    422,
    'The content is not valid',
    'The body was read, but some of its properties are not valid. The member errors lists each of them with a JSON pointer and what is accepted.',
  ),
  'picture-refused': problem(
    422,
    'The picture cannot be resized',
    'The file is not a JPEG, PNG, GIF, WebP or AVIF picture, or its bytes are damaged or too large, or the picture is animated and the requested format has no animation. The detail says which. The download without parameters returns the original.',
  ),
  'stml-invalid': problem(
    422,
    'The STML is not well-formed',
    'A page of type stml has one root element, a div with id="dd.0", and balanced tags. The detail gives line and column.',
  ),
  'idempotency-key-reused': problem(
    422,
    'The Idempotency-Key belongs to another request',
    'For 24 hours, an Idempotency-Key belongs to one request: its method, its address and its body. Send the original request unchanged, or use a new value.',
  ),
  'too-many-requests': problem(
    429,
    'Too many requests',
    'The detail names the exceeded limit. Some limits count requests of one key or user in a second, keys that the keys of one user create or change, invalid keys from one address, or open connections of one address. Other limits apply to the running requests, the uploads, and the memory for request bodies and unread responses of one key, user or address. Wait for the number of seconds in the Retry-After header, then try again.',
  ),
  'headers-too-large': problem(
    431,
    'The request headers are too large',
    'The address and all headers together may have 16 KiB, with at most 100 header lines. Send a long search by POST to the address of the list followed by /search, with its parameters as JSON in the body.',
  ),
  internal: problem(
    500,
    'Internal server error',
    'The request changed nothing. Give the request_id to the operator, who can find the cause in the log with this id.',
  ),
  'content-damaged': problem(
    500,
    'The stored content is damaged',
    'The bytes on disk differ from the bytes that were saved, so they are not served. The operator can locate the damage with "cms-server check".',
  ),
  'record-damaged': problem(
    500,
    'The stored record is damaged',
    'The checksum of a record is wrong, so the record is not served. The operator can locate the damage with "cms-server check".',
  ),
  'not-implemented': problem(
    501,
    'Not implemented',
    'The server implements GET, HEAD, POST, PATCH, DELETE and OPTIONS, and resizes pictures only if its picture library could be loaded. The detail says which of the two is missing.',
  ),
  unavailable: problem(
    503,
    'The server is not available',
    'The server is starting, stopping or busy, or has no memory left for another body, upload or connection, or its disk does not respond. Nothing was changed. Try again after the number of seconds in Retry-After.',
  ),
  'oidc-unavailable': problem(
    503,
    'The identity provider does not respond',
    'The identity provider did not respond in time, or its response was not valid. Try again later, or sign in with a password. The log has the cause.',
  ),
  'outcome-unknown': problem(
    503,
    'The outcome is unknown',
    'The storage failed while the change was being committed, so the change may or may not have been made. Read the record and compare its ETag before you try again.',
  ),
  'read-only': problem(
    503,
    'The server is read-only',
    'The server was started with --read-only, or a write to a disk has failed. Nothing was changed. Reads continue to work. To accept changes again, the operator restarts the server without --read-only, or checks the disk and then restarts the server.',
  ),
  'disk-full': problem(
    507,
    'The disk is full',
    'Nothing was changed. Reads and deletes continue to work; new content is accepted once the operator has freed disk space.',
  ),
  ...UPLOAD_PROBLEMS,
} as const satisfies Record<string, Problem>
