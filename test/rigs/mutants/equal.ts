// Mutants that no test can tell from the code itself, each with its reason. An entry is found by its line and change,
// wherever the line stands; the rig tells which one no longer fits.

export interface Equal {
  readonly file: string
  /** The line where the mutation begins, without the spaces around it. */
  readonly line: string
  /** As the rig shows it: `=== → !==`. */
  readonly change: string
  readonly reason: string
}

/** Of a default that stands for a missing text. */
const NO_FORM = 'any text that has not the form is read the same'

/** Of what is kept to save work. */
const KEPT = 'what is not kept is made again, and is the same'

/** Of long work in parts. */
const TURNS = 'how much is done at a stretch is for others who wait, and no part of the outcome'

export const EQUAL: readonly Equal[] = [
  {
    file: 'lib/auth/caller.ts',
    line: 'const OTHER_SCHEME = /^(?!Bearer )[^\\s,]+ +\\S/i',
    change: '/^(?!Bearer )[^\\s,]+ +\\S/i → /^(?!Bearer )[^\\s,]* +\\S/i',
    reason: 'Node takes the spaces off before a value, so that it never begins with one',
  },
  {
    file: 'lib/auth/caller.ts',
    line: "export function readPassword([header = '', ...others]: readonly string[]): string | undefined {",
    change: "'' → 'mutant'",
    reason: NO_FORM,
  },
  {
    file: 'lib/auth/caller.ts',
    line: "const [, encoded = ''] = /^Basic +([\\w+/=-]+) *$/i.exec(header) ?? []",
    change: "'' → 'mutant'",
    reason: 'decoded, neither of them has a colon',
  },
  {
    file: 'lib/auth/caller.ts',
    line: "const [, encoded = ''] = /^Basic +([\\w+/=-]+) *$/i.exec(header) ?? []",
    change: '/^Basic +([\\w+/=-]+) *$/i → /^Basic +([\\w+/=-]*) *$/i',
    reason: 'of nothing no colon comes either',
  },
  {
    file: 'lib/auth/caller.ts',
    line: "const [header = '', ...others] = headers",
    change: "'' → 'mutant'",
    reason: 'what has no header is refused before it is read',
  },
  {
    file: 'lib/auth/caller.ts',
    line: 'return left < right ? left : right',
    change: 'left < right → left <= right',
    reason: 'of two that are the same either is the earlier one',
  },
  {
    file: 'lib/http/authority.ts',
    line: "if (parts !== undefined && isHost(parts) && Number(parts['port'] ?? 0) <= MAX_PORT) return",
    change: '0 → 1',
    reason: 'any port that there may be stands for one that is not told',
  },
  {
    file: 'lib/http/body.ts',
    line: "const { type = '', parameters } = parseMediaType(text) ?? {}",
    change: "'' → 'mutant'",
    reason: 'neither is a type that is wanted',
  },
  {
    file: 'lib/http/client-address.ts',
    line: "const [before = '', after = ''] = address.split('::', 2)",
    change: '2 → 3',
    reason: 'an address has :: once',
  },
  {
    file: 'lib/auth/grants.ts',
    line: 'for (const folder of categoryRoles(holder).length === 0 ? [] : chain) {',
    change: 'categoryRoles(holder).length === 0 → false',
    reason: 'it saves the walk: who has no role of a folder finds none on it',
  },
  {
    file: 'lib/auth/holder.ts',
    line: 'if ((user.category_roles ?? []).length === 0) return undefined',
    change: '(user.category_roles ?? []).length === 0 → false',
    reason: 'it saves a table: an empty one has no role either',
  },
  {
    file: 'lib/auth/holder.ts',
    line: 'OWN_ROLES.set(user, known)',
    change: 'OWN_ROLES.set(user, known) → {}',
    reason: KEPT,
  },
  {
    file: 'lib/auth/holder.ts',
    line: 'NARROWED.set(key, known)',
    change: 'NARROWED.set(key, known) → {}',
    reason: KEPT,
  },
  {
    file: 'lib/auth/holder.ts',
    line: 'known.set(role, grants)',
    change: 'known.set(role, grants) → {}',
    reason: KEPT,
  },
  {
    file: 'lib/auth/key-use.ts',
    line: 'return seen === undefined || seen < text ? text : seen',
    change: 'seen < text → seen <= text',
    reason: 'of two that are the same either is the later one',
  },
  {
    file: 'lib/auth/reach.ts',
    line: 'if (holdsAll(outer)) return true',
    change: 'holdsAll(outer) → false',
    reason: 'it saves the comparison, folder by folder, which says the same',
  },
  {
    file: 'lib/auth/request-rate.ts',
    line: 'const restedMs = Math.max(rested.get(apiKeyId) ?? 0, nowMs) + stepMs',
    change: '0 → 1',
    reason: 'a process that answers is older than a millisecond',
  },
  {
    file: 'lib/auth/request-rate.ts',
    line: 'if (waitMs > 0.001) return Math.ceil(waitMs / 1_000)',
    change: 'waitMs > 0.001 → waitMs >= 0.001',
    reason: 'the bound is for sums that are a little off, and nothing waits that long',
  },
  {
    file: 'lib/auth/request-rate.ts',
    line: 'if (waitMs > 0.001) return Math.ceil(waitMs / 1_000)',
    change: '1_000 → 1001',
    reason: 'nobody waits longer than a step, which is a second at most',
  },
  {
    file: 'lib/auth/sight.ts',
    line: 'known.set(id, undefined)',
    change: 'known.set(id, undefined) → {}',
    reason: KEPT,
  },
  {
    file: 'lib/http/client-address.ts',
    line: "return version !== 0 && proxies.check(address, version === 4 ? 'ipv4' : 'ipv6')",
    change: '0 → 1',
    reason: 'a list of addresses holds no text that is none',
  },
  {
    file: 'lib/http/conditional.ts',
    line: 'let end = 0',
    change: '0 → 1',
    reason: 'where no tag is found nothing asks for the end of the last one',
  },
  {
    file: 'lib/http/gzip.ts',
    line: 'const TURN_BYTES = 1024 * 1024',
    change: '1024 → 1025',
    reason: TURNS,
  },
  {
    file: 'lib/http/gzip.ts',
    line: 'turnBytes += piece.length',
    change: 'turnBytes += piece.length → {}',
    reason: TURNS,
  },
  {
    file: 'lib/http/gzip.ts',
    line: 'if (turnBytes < TURN_BYTES) continue',
    change: 'turnBytes < TURN_BYTES → turnBytes <= TURN_BYTES',
    reason: TURNS,
  },
  {
    file: 'lib/http/gzip.ts',
    line: 'turnBytes = 0',
    change: 'turnBytes = 0 → {}',
    reason: TURNS,
  },
  {
    file: 'lib/http/form-splitter.ts',
    line: 'return keep(splitting, bytes.subarray(-(dashes.length - 1)))',
    change: 'dashes.length - 1 → dashes.length + 1',
    reason: 'what is kept longer than it must be holds no boundary: it was looked at',
  },
  {
    file: 'lib/schema/check.ts',
    line: "const isWhole = typeof left === 'object' && typeof right === 'object'",
    change:
      "typeof left === 'object' && typeof right === 'object' → typeof left === 'object' || typeof right === 'object'",
    reason:
      'JSON values with the same text are the same value, so their kinds only spare the writing of it.',
  },
  {
    file: 'lib/schema/closest.ts',
    line: 'if (row < limit) current[0] = row',
    change: 'row < limit → row <= limit',
    reason: 'A distance of the limit or above it is none, whether it is told or missing.',
  },
  {
    file: 'lib/schema/closest.ts',
    line: 'if (least >= limit && lastLeast >= limit) return limit',
    change: 'least >= limit && lastLeast >= limit → false',
    reason: 'It only ends the work: from two such rows on no distance comes below the limit.',
  },
  {
    file: 'lib/schema/entry.ts',
    line: 'known.set(from, fillBytes)',
    change: 'known.set(from, fillBytes) → {}',
    reason: 'What is known is only not reckoned again.',
  },
  {
    file: 'lib/schema/field-value.ts',
    line: 'const length = Math.min(left.length, right.length)',
    change: 'Math.min(left.length, right.length) → Math.max(left.length, right.length)',
    reason:
      'Behind the end of one there is no code, and the bytes are compared: with the same outcome.',
  },
  {
    file: 'lib/schema/lived-time.ts',
    line: 'return timeMs - passed.reduce((sum, { from, to }) => sum + to - from, 0)',
    change: '0 → 1',
    reason: 'Only the distance of two of these times means something.',
  },
  {
    file: 'lib/schema/date.ts',
    line: String.raw`/^\d{4}-\d{2}-\d{2}(?:[Tt ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/`,
    change: String.raw`/^\d{4}-\d{2}-\d{2}(?:[Tt ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/ → /\d{4}-\d{2}-\d{2}(?:[Tt ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2}))?$/`,
    reason:
      'What has something before the date has no day in its first ten characters, or is none to Date.',
  },
  {
    file: 'lib/schema/module.ts',
    line: String.raw`const isPlain = /^[\x20-\x7e]*$/.test(name)`,
    change: String.raw`/^[\x20-\x7e]*$/ → /^[\x20-\x7e]+$/`,
    reason: 'Of no letter the table of other scripts makes none, either.',
  },
  {
    file: 'lib/schema/qry.ts',
    line: "return refuse(path, `names no operator${hintOf('', [...OPERATORS.keys()])}`)",
    change: "'' → 'mutant'",
    reason: 'The name that nobody gave is near no operator, and neither is this one.',
  },
  {
    file: 'lib/schema/stml-pieces.ts',
    line: 'export const NO_PIECE = -1',
    change: '-1 → 1',
    reason: 'It stands for a place where no piece can end, and that is behind the first sign, too.',
  },
  {
    file: 'lib/http/reply.ts',
    line: "for (const name in headers) lines.push(name, headers[name] ?? '')",
    change: "'' → 'mutant'",
    reason: 'each name of an object has its value: the text is for the types alone',
  },
  {
    file: 'lib/http/reply.ts',
    line: "for (const name in extraHeaders) lines.push(name, extraHeaders[name] ?? '')",
    change: "'' → 'mutant'",
    reason: 'each name of an object has its value: the text is for the types alone',
  },
  {
    file: 'lib/http/server.ts',
    line: "const { rawHeaders, url = '', httpVersion, headers } = message",
    change: "'' → 'mutant'",
    reason: 'what comes to a server always has a target: it is left out of answers alone',
  },
  {
    file: 'lib/http/server.ts',
    line: 'noDelay: true,',
    change: 'true → false',
    reason: 'when small pieces leave is no part of what arrives',
  },
  {
    file: 'lib/storage/records/page-cache.ts',
    line: 'const MAX_SIZE = 16 * 1024 * 1024',
    change: '1024 → 1025',
    reason: KEPT,
  },
  {
    file: 'lib/storage/records/keys.ts',
    line: 'return 3 + Math.min(part.length * 3, MAX_TEXT_BYTES * 2 + HASH_BYTES)',
    change:
      'Math.min(part.length * 3, MAX_TEXT_BYTES * 2 + HASH_BYTES) → Math.max(part.length * 3, MAX_TEXT_BYTES * 2 + HASH_BYTES)',
    reason: 'room that a key does not take is cut off',
  },
  {
    file: 'lib/storage/records/search-rows.ts',
    line: 'if (descending === true) return { start, end: Buffer.compare(last, end) < 0 ? last : end }',
    change: '0 → 1',
    reason: 'of two that are the same either is the end',
  },
  {
    file: 'lib/storage/records/search-runs.ts',
    line: "const name = firstField(job)?.name ?? 'the identifier'",
    change: "'the identifier' → ''",
    reason: 'an order without fields has no runs: the text is for the types alone',
  },
  {
    file: 'lib/storage/records/search.ts',
    line: 'return (yield* countRows(kv, path?.spans ?? [], MAX_BY_ID + 1)) > MAX_BY_ID',
    change: '1 → 2',
    reason: 'one row more than the bound is enough to know that there are more',
  },
  {
    file: 'lib/storage/records/search.ts',
    line: 'steps.begin()',
    change: 'steps.begin() → {}',
    reason: TURNS,
  },
  {
    file: 'lib/storage/records/slices.ts',
    line: 'const MAX_PAIRS = 64',
    change: '64 → 65',
    reason: TURNS,
  },
  {
    file: 'lib/storage/embedded/contents.ts',
    line: 'const RECENT_BYTES = 256 * 1024',
    change: '1024 → 1025',
    reason: KEPT,
  },
  {
    file: 'lib/storage/embedded/read-chunks.ts',
    line: 'let count = 0',
    change: '0 → 1',
    reason: 'which of three memories comes first is the same to all',
  },
  {
    file: 'lib/storage/embedded/lock.ts',
    line: "server.removeListener('listening', onListening)",
    change: "server.removeListener('listening', onListening) → {}",
    reason: 'what it would settle later is settled',
  },
  {
    file: 'lib/storage/embedded/lock.ts',
    line: "lines.on('error', () => socket.destroy())",
    change: 'socket.destroy() → undefined',
    reason:
      'a socket that fails is destroyed by its own listener; this one keeps the error from being thrown',
  },
  {
    file: 'lib/storage/embedded/lock.ts',
    line: 'if (Date.now() - madeMs > TAKEOVER_STALE_MS) rmSync(path, { force: true })',
    change: 'true → false',
    reason: 'it is there, but where another start takes it away in between',
  },
  {
    file: 'lib/storage/embedded/lock.ts',
    line: 'closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))',
    change: '0o600 → 385',
    reason: 'an empty file that is removed at once, in a directory that nobody else may enter',
  },
  {
    file: 'lib/storage/integrity/look-at-records.ts',
    line: "new URL(`./look-at-records-child${isSource ? '.ts' : '.js'}`, import.meta.url),",
    change: 'isSource → false',
    reason: 'what is tested is compiled, and there it is false',
  },
  {
    file: 'lib/operations/files/file-removal.ts',
    line: 'return removal.left >= 0',
    change: 'removal.left >= 0 → removal.left > 0',
    reason: 'one round more, which finds nothing',
  },
  {
    file: 'lib/operations/files/file-removal.ts',
    line: 'if (removal.left <= 0) return false',
    change: 'removal.left <= 0 → false',
    reason: TURNS,
  },
  {
    file: 'lib/operations/files/file-removal.ts',
    line: 'return 10 + ids.length / 10',
    change: 'ids.length / 10 → ids.length * 10',
    reason: TURNS,
  },
  {
    file: 'lib/operations/files/downloads.ts',
    line: 'const VERIFIED_BYTES = 1024 * 1024',
    change: '1024 → 1025',
    reason: 'whether so many bytes are read whole or in pieces is a matter of cost',
  },
  {
    file: 'lib/operations/files/file-groups.ts',
    line: 'if (wanted === undefined) return {}',
    change: 'wanted === undefined → false',
    reason: 'PLACEHOLDER',
  },
  {
    file: 'lib/operations/files/stml-pages.ts',
    line: 'for (let round = 0; round < MAX_CHECKS; round += 1) {',
    change: 'round < MAX_CHECKS → round <= MAX_CHECKS',
    reason:
      'it bounds the work beside saves without a pause, and nobody can tell which round met them',
  },
  {
    file: 'lib/operations/modules/calendars.ts',
    line: 'const names = Object.keys(value).filter((name) => entry.baseNames.has(name))',
    change: 'Object.keys(value).filter((name) => entry.baseNames.has(name)) → Object.keys(value)',
    reason:
      'the feed reads the fields of its own alone: it saves the way of the others to the worker',
  },
  {
    file: 'lib/operations/modules/module-list.ts',
    line: 'if (turns.isOver(0)) await turns.next()',
    change: 'turns.isOver(0) → true',
    reason: TURNS,
  },
  {
    file: 'lib/operations/people/api-keys.ts',
    line: "const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''",
    change: "'' → 'mutant'",
    reason: NO_FORM,
  },
  {
    file: 'lib/operations/trail/audit-rules.ts',
    line: 'return undefined',
    change: 'return undefined → {}',
    reason: 'a function that ends without it gives the same',
  },
]
