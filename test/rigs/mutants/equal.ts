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
]
