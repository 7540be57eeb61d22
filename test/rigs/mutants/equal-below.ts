// Those of the rooms that keep records and work on them: storage and operations. See equal.ts.

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
