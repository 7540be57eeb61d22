// The fault table: every fault with a specified answer. Each row is covered by a test whose title
// begins with the row (`S13: …`, `H6, H7: …`), or states why no test covers it.

export interface FaultRow {
  readonly id: string
  /** The fault in a few words; the tests of the row specify the answer. */
  readonly fault: string
  /** The reason why no test covers the row, or why the answer differs from the expected one. */
  readonly reason?: string
}

const row = (id: string, fault: string, reason?: string): FaultRow =>
  reason === undefined ? { id, fault } : { id, fault, reason }

/** Crashes, disks and processes. */
const STORAGE: readonly FaultRow[] = [
  row('S1', 'killed after any step of a save'),
  row('S2', 'killed after any step of a delete'),
  row('S3', 'killed while publishing'),
  row('S4', 'killed at any step of the recovery, again and again'),
  row('S5', 'power cut: unsynced bytes lost, reordered, torn'),
  row('S6', 'unsynced bytes lost while the kernel ran on (a restored snapshot)'),
  row('S7', 'fsync of new bytes fails'),
  row('S8', 'fsync of a directory fails'),
  row('S9', 'sync of the records fails once'),
  row('S10', 'sync of the records fails for ever'),
  row('S11', 'the meta page of the records cannot be written'),
  row('S12', 'a page is lost by a failed fsync, and the second one says all is well'),
  row('S13', 'disk of the contents full: in mid-stream, at fsync, at rename'),
  row('S14', 'disk of the records full'),
  row('S15', 'no inode, or no quota, left'),
  row('S16', 'no file descriptor left'),
  row('S17', 'largest file size reached'),
  row('S18', 'disk read-only at start, or later'),
  row('S19', 'directory not accessible, or of another owner'),
  row('S20', 'disk hangs'),
  row(
    'S21',
    'bytes of a version missing',
    'The tests show the version and the check; /health tells of the process alone.',
  ),
  row('S22', 'bytes of a version torn, flipped, of another size, exchanged'),
  row('S23', 'a link, directory, pipe or device under the name of content'),
  row('S24', 'a link under the name of a directory of ours; a directory missing'),
  row(
    'S25',
    'stray files among the content',
    'After a clean stop nobody looks for them; they are never served, and check --repair moves them.',
  ),
  row('S26', 'data.mdb missing, empty, cut, garbage, zeroed or random in places'),
  row('S27', 'bytes of a record flipped in a page that is whole'),
  row('S28', 'lock.mdb deleted, stale or garbage'),
  row('S29', 'records of yesterday with contents of today, or the reverse'),
  row('S30', 'data of an older or newer format'),
  row('S31', 'two servers on one directory'),
  row('S32', 'server frozen while another takes over, then woken'),
  row('S33', 'a thread throws, ends or runs out of memory in its task'),
  row('S34', 'queue of the threads full'),
  row('S35', 'one request is given up while the tasks of others run'),
  row('S36', 'memory of the process used up'),
  row('S37', 'an exception that nobody foresaw'),
  row('S38', 'SIGTERM at any moment, twice, then SIGKILL'),
  row('S39', 'start after a crash that left 10,000 half-done versions'),
  row('S40', 'clock set back or far ahead'),
  row('S41', 'backup killed half way, or made while all is written; restore'),
]

/** HTTP and connections. */
const HTTP: readonly FaultRow[] = [
  row('H1', 'headers or bodies that drip, connections that idle'),
  row('H2', 'a client that does not read its answer, or is gone without a word'),
  row('H3', 'a client that leaves in the middle of an upload'),
  row('H4', 'a client that leaves between commit and answer'),
  row('H5', 'heads and lengths that two parsers could read in two ways'),
  row('H6', 'two Host headers, none, or one that is no host'),
  row('H7', 'two Authorization headers'),
  row('H8', 'thousands of headers'),
  row('H9', 'headers over 16 KiB, an address over 8 KiB'),
  row(
    'H10',
    'whole addresses, OPTIONS *, TRACE, CONNECT, HTTP/2, upgrades',
    'An upgrade is passed over, and the request answered as it is, as the last of its connection.',
  ),
  row('H11', 'Expect: 100-continue without the right to send'),
  row('H12', '1,000 requests at once on one connection; too many connections'),
  row('H13', 'a header named __proto__'),
  row('H14', 'text of a user on its way into a header of an answer'),
  row(
    'H15',
    'a body on GET or DELETE, or after a refusal',
    'Up to 1 MiB is read and dropped, so that who sends first sees the answer.',
  ),
  row('H16', 'a compressed body'),
  row('H17', 'another media type, charset or Accept'),
  row('H18', 'HEAD wherever there is GET'),
  row('H19', 'what is no request behind one that is being handled'),
]

/** Upload forms. */
const FORMS: readonly FaultRow[] = [
  row('M1', 'form empty, cut, or with another boundary'),
  row('M2', 'no boundary, no Content-Type, or that of JSON'),
  row('M3', 'a form that is urlencoded'),
  row('M4', 'parts that the parser passes over in silence'),
  row('M5', 'two dispositions in one part'),
  row('M6', 'a part without a name'),
  row('M7', 'an empty file name'),
  row('M8', 'a part name of 10 KB'),
  row('M9', 'a second file; thousands of parts, or of headers in a part'),
  row('M10', 'a file over its limit'),
  row('M11', 'a field over its limit'),
  row('M12', 'both identifiers, one twice, in any order, or none that is a number'),
  row('M13', 'file names with folders, other scripts, control characters'),
  row('M14', 'a megabyte before or after the parts'),
  row('M15', 'base64, forms in forms, pieces of one byte'),
  row('M16', 'a part named __proto__'),
  row('M17', 'a length that is more or less than what is sent'),
]

/** JSON, searches, schemas, STML. */
const BODIES: readonly FaultRow[] = [
  row('B1', 'what is no JSON'),
  row('B2', 'what is no UTF-8'),
  row('B3', 'a million levels'),
  row('B4', '100,000 keys, also ones made to collide'),
  row('B5', 'a key twice'),
  row('B6', 'numbers that cannot be kept'),
  row('B7', '__proto__ and its like as key, column, object, field'),
  row(
    'B8',
    'properties that only the server may set',
    '422, as the contract has it; the stored value is accepted, so that a record can be posted back.',
  ),
  row('B9', 'values of another type', '422, as the contract has it: the body was read.'),
  row('B10', 'searches that are no searches, or for hidden fields'),
  row(
    'B11',
    'text made to be slow in a pattern',
    'Patterns of users are RE2; those of lib are tested where text of users meets them.',
  ),
  row('B12', 'table_schema that is too much, or misleads', '422, as the contract has it.'),
  row('B13', 'modules whose names clash or change'),
  row(
    'B14',
    'entities, DOCTYPE, depth and other tricks in STML',
    'Entities are passed over and never expanded, as the contract has it.',
  ),
  row(
    'B15',
    'a list over very many records',
    'A million records are the load of bench/; the bounds are shown with fewer.',
  ),
]

/** Names and paths, pages in browsers, conditions and ranges. */
const ADDRESSES: readonly FaultRow[] = [
  row('N1', 'addresses of files that try to be paths'),
  row('N2', 'names of 255 bytes'),
  row('N3', 'names that look alike, or mislead'),
  row('N4', 'one name in a folder twice, also at the same time'),
  row('N5', 'empty segments, slashes, case, numbers in other forms'),
  row('N6', 'names in Content-Disposition'),
  row('X1', 'scripts in uploaded files'),
  row('X2', 'scripts in names, titles and values'),
  row(
    'X3',
    'requests forged by other sites',
    'There are no cookies and no pages that sign in: each request is signed by a header of its own.',
  ),
  row('X4', 'requests from other origins'),
  row(
    'E1',
    'If-Match and its like in every form and combination',
    '428 is for servers that demand If-Match; this one merges by field and demands none.',
  ),
  row('E2', 'two writers with the same ETag'),
  row('E3', 'ranges of every form'),
  row('E4', 'answers in shared caches'),
]

/** Concurrent requests; keys and grants. */
const CALLERS: readonly FaultRow[] = [
  row('C1', 'two updates of one file'),
  row('C2', 'publish, update, stage, delete and download together'),
  row('C3', 'an upload to what is deleted or moved meanwhile'),
  row('C4', 'a key or grant that ends during an upload'),
  row('C5', 'a datatable that is deleted while entries are written'),
  row('C6', 'a folder moved into itself, or deleted with all in it'),
  row(
    'C7',
    'numbers used up; identifiers 0 and below',
    'The counters have 48 bits: at a million records a second they last nine years.',
  ),
  row('K1', 'no key'),
  row('K2', 'keys that are wrong, over, cut, elsewhere or twice'),
  row('K3', 'a key without the grant'),
  row(
    'K4',
    'the time that a wrong key takes',
    'A secret is looked up by its SHA-256, so the time tells of a hash from which no secret follows; not measured.',
  ),
  row('K5', 'keys tried by force; forged addresses'),
  row('K6', 'secrets in logs, errors, backups'),
  row('K7', 'records of others'),
  row('K8', 'a key that makes itself a wider one'),
  row('K9', 'a first start that would let anybody in'),
]

export const FAULT_ROWS: readonly FaultRow[] = [
  ...STORAGE,
  ...HTTP,
  ...FORMS,
  ...BODIES,
  ...ADDRESSES,
  ...CALLERS,
]
