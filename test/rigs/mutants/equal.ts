// Equivalent mutants, which no test can distinguish from the original, each with a reason. An entry
// is identified by its line and change, wherever the line moves; the rig reports entries that match
// nothing.

import { EQUAL_BELOW } from './equal-below.ts'
import { type Equal, KEPT, NO_FORM, TURNS } from './equal-entry.ts'

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
    file: 'lib/http/request-target.ts',
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
    file: 'lib/auth/key-role.ts',
    line: 'if ((user.category_roles ?? []).length === 0) return undefined',
    change: '(user.category_roles ?? []).length === 0 → false',
    reason: 'it saves a table: an empty one has no role either',
  },
  {
    file: 'lib/auth/key-role.ts',
    line: 'OWN_ROLES.set(user, known)',
    change: 'OWN_ROLES.set(user, known) → {}',
    reason: KEPT,
  },
  {
    file: 'lib/auth/key-role.ts',
    line: 'NARROWED.set(key, known)',
    change: 'NARROWED.set(key, known) → {}',
    reason: KEPT,
  },
  {
    file: 'lib/auth/key-role.ts',
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
    file: 'lib/auth/delegation.ts',
    line: 'if (holdsAll(outer)) return true',
    change: 'holdsAll(outer) → false',
    reason: 'it saves the comparison, folder by folder, which says the same',
  },
  {
    file: 'lib/auth/guard.ts',
    line: 'const restedMs = Math.max(rested.get(apiKeyId) ?? 0, nowMs) + stepMs',
    change: '0 → 1',
    reason: 'a process that answers is older than a millisecond',
  },
  {
    file: 'lib/auth/guard.ts',
    line: 'if (waitMs > 0.001) return Math.ceil(waitMs / 1_000)',
    change: 'waitMs > 0.001 → waitMs >= 0.001',
    reason: 'the bound is for sums that are a little off, and nothing waits that long',
  },
  {
    file: 'lib/auth/guard.ts',
    line: 'if (waitMs > 0.001) return Math.ceil(waitMs / 1_000)',
    change: '1_000 → 1001',
    reason: 'nobody waits longer than a step, which is a second at most',
  },
  {
    file: 'lib/auth/visible-folders.ts',
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
    file: 'lib/schema/message-text.ts',
    line: 'if (row < limit) current[0] = row',
    change: 'row < limit → row <= limit',
    reason: 'A distance of the limit or above it is none, whether it is told or missing.',
  },
  {
    file: 'lib/schema/message-text.ts',
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
    file: 'lib/schema/retention-clock.ts',
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
    line: "if (siblings.size === 0) return refuse(path, `has no operator${hintOf('', QRY_OPERATORS)}`)",
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
  ...EQUAL_BELOW,
]
