// Equivalent mutants in the rooms that store and process records: storage and operations. See
// equal.ts.

import { type Equal, KEPT, NO_FORM, TURNS } from './equal-entry.ts'

export const EQUAL_BELOW: readonly Equal[] = [
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
    file: 'lib/storage/embedded/file-contents.ts',
    line: 'const RECENT_BYTES = 256 * 1024',
    change: '1024 → 1025',
    reason: KEPT,
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
    file: 'lib/storage/integrity/inspect-records.ts',
    line: "new URL(`./inspect-records-child${isSource ? '.ts' : '.js'}`, import.meta.url),",
    change: 'isSource → false',
    reason: 'what is tested is compiled, and there it is false',
  },
  {
    file: 'lib/storage/embedded/file-contents.ts',
    line: 'if (names.length === 0) return',
    change: 'names.length === 0 → false',
    reason: 'of nothing nothing is removed: it saves the way to a worker',
  },
  {
    file: 'lib/storage/embedded/file-contents.ts',
    line: 'return buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength',
    change: 'byteLength > 0 → byteLength >= 0',
    reason: 'memory of no bytes is as good handed over as copied',
  },
  {
    file: 'lib/storage/embedded/file-contents.ts',
    line: 'async *chunks({ start, end } = { start: 0, end: bytes.length - 1 }) {',
    change: 'bytes.length - 1 → bytes.length + 1',
    reason: 'a part of bytes ends where they end',
  },
  {
    file: 'lib/storage/embedded/file-errors.ts',
    line: 'if (error instanceof CmsError) throw error',
    change: 'error instanceof CmsError → false',
    reason: 'no code of ours is one of the system, and what is none is thrown on',
  },
  {
    file: 'lib/storage/embedded/lock.ts',
    line: 'const TAKEOVER_STALE_MS = 5_000',
    change: '5_000 → 5001',
    reason: 'the clock goes on while it is asked: no start can rely on the last millisecond',
  },
  {
    file: 'lib/storage/embedded/lock.ts',
    line: "if (process.platform !== 'linux' || Buffer.byteLength(direct) < 100)",
    change: "process.platform !== 'linux' || Buffer.byteLength(direct) < 100 → false",
    reason: 'on Linux the short name leads to the same place, however long the other is',
  },
  {
    file: 'lib/storage/embedded/lock.ts',
    line: "socket.on('error', () => socket.destroy())",
    change: 'socket.destroy() → undefined',
    reason:
      'a socket that fails is destroyed already; this listener keeps the error from being thrown',
  },
  {
    file: 'lib/storage/embedded/content-flush.ts',
    line: 'const ROUND_BYTES = 8 * 1024 * 1024',
    change: '8 → 9',
    reason: TURNS,
  },
  {
    file: 'lib/storage/embedded/content-flush.ts',
    line: 'return kv.count({ ...INLINE_ROWS, limit: 1 }) > 0',
    change: '1 → 2',
    reason: 'whether there is one is known from two as from one',
  },
  {
    file: 'lib/storage/integrity/census.ts',
    line: 'const PAUSE_MS = 50',
    change: '50 → 51',
    reason: TURNS,
  },
  {
    file: 'lib/storage/integrity/inspect-records.ts',
    line: 'const SHARED_FROM_BYTES = 16 * 1024 * 1024',
    change: '16 * 1024 * 1024 → 16 * 1024 / 1024',
    reason: 'one child or two find the same: it is a matter of cost',
  },
  {
    file: 'lib/storage/integrity/inspect-records.ts',
    line: "new URL(`./inspect-records-child${isSource ? '.ts' : '.js'}`, import.meta.url),",
    change: "'.js' → ''",
    reason: 'Node finds the script by its name alone',
  },
  {
    file: 'lib/storage/integrity/scrub.ts',
    line: 'const BATCH_FILES = 8',
    change: '8 → 9',
    reason: TURNS,
  },
  {
    file: 'lib/storage/integrity/scrub.ts',
    line: 'if (isCut || performance.now() - markedMs > MARK_EVERY_MS) {',
    change:
      'performance.now() - markedMs > MARK_EVERY_MS → performance.now() - markedMs >= MARK_EVERY_MS',
    reason: 'the clock goes on between the two: no pass can rely on the very moment',
  },
  {
    file: 'lib/storage/integrity/verify-unique.ts',
    line: 'const ID_BYTES = encodeKey([0]).length',
    change: '0 → 1',
    reason: 'a number has as many bytes whatever it is',
  },
  {
    file: 'lib/storage/integrity/verify-unique.ts',
    line: 'if (ids.length > 1) yield ids',
    change: 'ids.length > 1 → true',
    reason: 'of a single one there is none that has its value, too',
  },
  {
    file: 'lib/storage/backup/archive-child.ts',
    line: 'const READ_BYTES = 512 * 1024',
    change: '1024 → 1025',
    reason: TURNS,
  },
  {
    file: 'lib/storage/backup/archive-child.ts',
    line: 'process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()))',
    change: 'error → false',
    reason: 'where a message does not arrive the server has gone, and the process ends with it',
  },
  {
    file: 'lib/storage/backup/archive.ts',
    line: "execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],",
    change: 'isSource → false',
    reason: 'what is tested is compiled, and there it is false',
  },
  {
    file: 'lib/storage/backup/moment.ts',
    line: 'const kv = openLmdb({ path: to.records, readOnly: true, onFailure: () => undefined })',
    change: 'true → false',
    reason: 'the copy is our own, and nothing is written to it from then on',
  },
  {
    file: 'lib/storage/backup/moment.ts',
    line: "rmSync(join(records, 'lock.mdb'), { force: true })",
    change: 'true → false',
    reason: 'LMDB has made the file by then: it opened the copy just before',
  },
  {
    file: 'lib/storage/backup/restore.ts',
    line: 'const kv = openLmdb({ path: to.records, readOnly: true, onFailure: () => undefined })',
    change: 'true → false',
    reason: 'what is restored is our own until it is whole, and nothing is written to it by then',
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
    file: 'lib/operations/modules/find-module.ts',
    line: 'if (slice.isOver(0)) await slice.next()',
    change: 'slice.isOver(0) → true',
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
