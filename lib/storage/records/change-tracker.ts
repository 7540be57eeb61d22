// Tracks which commits changed what, for cache invalidation: every commit is recorded here, and every cache checks here. A
// cached value keeps the names of everything it was built from, and is valid until one of these names changes.
//
// A commit counts from the moment when reads show it (commit-visibility.ts). Until then a cached value is still what a read
// would return. Before a cached value counts as valid, `settle` shows the commits that the next read would show: otherwise
// a caller could take one value from a cache and the next from a newer state.

/**
 * Something that was changed or read: a record, a value of an index, or any record of a type. A name is a hash of
 * NAME_BITS bits. Two names with the same hash change together, which can invalidate a valid value but never keeps a stale
 * one. The table below therefore has a fixed size and needs no lookups.
 */
export type Name = number

const NAME_BITS = 20

export function nameOfText(text: string): Name {
  let hash = FNV_OFFSET
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return fold(hash)
}

export function nameOfBytes(bytes: Uint8Array, end = bytes.length): Name {
  let hash = FNV_OFFSET
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME)
  return fold(hash)
}

// FNV-1a with XOR folding, http://www.isthe.com/chongo/tech/comp/fnv
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

function fold(hash: number): Name {
  return ((hash >>> NAME_BITS) ^ hash) & (2 ** NAME_BITS - 1)
}

export interface Changes {
  /** The number of the newest visible commit. */
  now(): number
  /** Records that this commit and all before it are visible, and what the commit changed. */
  note(names: Iterable<Name>, commit: number): void
  /** Invalidates all cached values; if a number is given, this commit is visible. */
  forget(commit?: number): void
  /** Whether a name is unchanged since `now` returned this number. */
  isUnchanged(name: Name, since: number): boolean
  /** Starts a trace without names. */
  trace(): Trace
}

/** Collects the names of everything that a value is built from; started before the first read. */
export interface Trace {
  readonly names: ReadonlySet<Name>
  /** Approximate memory of the names, for the accounting of a cache. */
  sizeBytes(): number
  add(name: Name): void
  addAll(names: Iterable<Name>): void
  /** True if nothing at all has changed since the trace started, which also covers later reads. */
  isNewest(): boolean
  /** Ends the collection. Returns isCurrent, which is true while all names are unchanged since they were read. */
  close(): () => boolean
}

/** Memory of one name in a set. */
const NAME_BYTES = 24

/**
 * `first`: the number of the newest commit that is visible at the start. `settle` notes the commits that the next read
 * would show.
 */
export function openChanges(first: number, settle: () => void = () => undefined): Changes {
  /** The last commit that changed each name, counted from `first`. */
  const last = new Uint32Array(2 ** NAME_BITS)
  let shown = 0
  /** Values that were started before this commit are invalid. */
  let forgotten = 0

  function isSame(names: ReadonlySet<Name>, since: number): boolean {
    if (since < forgotten) return false
    for (const name of names) if ((last[name] ?? 0) > since) return false
    return true
  }

  return {
    now: () => first + shown,
    note(names, commit) {
      shown = Math.max(shown, commit - first)
      for (const name of names) last[name] = shown
    },
    forget(commit = first + shown + 1) {
      shown = Math.max(shown, commit - first)
      forgotten = shown
    },
    isUnchanged(name, since) {
      settle()
      return since - first >= forgotten && (last[name] ?? 0) <= since - first
    },
    trace() {
      // A commit shown by the first read would end the trace although every read shows it.
      settle()
      const names = new Set<Name>()
      const begun = shown
      return {
        names,
        sizeBytes: () => names.size * NAME_BYTES,
        add: (name) => void names.add(name),
        addAll(others) {
          for (const name of others) names.add(name)
        },
        isNewest: () => begun === shown,
        close() {
          let checked = begun
          return () => {
            settle()
            if (checked === shown) return true
            if (!isSame(names, checked)) return false
            checked = shown
            return true
          }
        },
      }
    },
  }
}
