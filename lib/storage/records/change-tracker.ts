// What has changed when: the one place that is told of every commit, and that every cache above it asks. What is
// kept notes the names of what it was made of, and stands as long as none of them has changed since.
//
// A commit counts from the moment on in which reads show it (commit-visibility.ts), and not before: while it is under way,
// what is kept is still what would be read.

/**
 * What was changed or read: a record, a value of an index, any record of a type. Names are told apart by a hash of so
 * many bits: two that share one change together, which makes something anew that was still right, and never keeps
 * what is not. So the table below has one size, whatever is written, and nothing is ever looked for in it.
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

// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv, folded as it says there.
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

function fold(hash: number): Name {
  return ((hash >>> NAME_BITS) ^ hash) & (2 ** NAME_BITS - 1)
}

export interface Changes {
  /** The number of the newest commit that reads show. */
  now(): number
  /** The commit of this number, and all before it, are shown. */
  note(names: Iterable<Name>, commit: number): void
  /** All that is kept is to be made anew; reads show the commit of this number, where one is given. */
  forget(commit?: number): void
  /** Whether it is as it was when `now` gave this number. */
  isUnchanged(name: Name, since: number): boolean
  /** What was made of nothing yet, and from now on. */
  trace(): Trace
}

/** Of what something is made: begun before the first of it is read. */
export interface Trace {
  readonly names: ReadonlySet<Name>
  /** What the names take in memory, about: to be counted with what is kept. */
  sizeBytes(): number
  add(name: Name): void
  addAll(names: Iterable<Name>): void
  /** True where nothing at all has changed since it was begun: also of what it will read yet, nothing is older than now. */
  isNewest(): boolean
  /** Nothing more is added. Gives isCurrent: true where all of it is as it was read. */
  close(): () => boolean
}

/** Of one name in a set. */
const NAME_BYTES = 24

/** `first`: the number of the newest commit that reads show now. */
export function openChanges(first: number): Changes {
  /** Of each name the last commit that changed it, counted from the first. */
  const last = new Uint32Array(2 ** NAME_BITS)
  let shown = 0
  /** Nothing that was begun earlier stands. */
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
    isUnchanged: (name, since) => since - first >= forgotten && (last[name] ?? 0) <= since - first,
    trace() {
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
