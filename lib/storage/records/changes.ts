// What has changed when: the one place that is told of every commit, and that every cache above it asks. What is
// kept notes the names of what it was made of, and stands as long as none of them has changed since.
//
// A commit counts from the moment on in which reads show it (records.ts), and not before: while it is under way,
// what is kept is still what would be read.

/** What was changed or read: a record (recordName), a value of an index (valueName), any record of a type (its name). */
export type Name = string

export interface Changes {
  /** The number of the newest commit that reads show. */
  now(): number
  /** The commit of this number, and all before it, are shown. */
  note(names: Iterable<Name>, commit: number): void
  /** All that is kept is to be made anew. */
  forget(): void
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
  /** Nothing more is added. Gives isCurrent: true where all of it is as it was read; false, too, where that is not known any more. */
  close(): () => boolean
}

/** Bytes of names whose last change is remembered; of others it is known that it is older than that of all of these. */
const MAX_BYTES = 4 * 1024 * 1024
/** Counted for each name besides its characters, which are one byte each as a rule. */
const OVERHEAD = 96

function sizeOf(name: Name): number {
  return name.length + OVERHEAD
}

export function openChanges(first: number): Changes {
  /** The last commit that changed it, the oldest of them first. */
  const last = new Map<Name, number>()
  let shown = first
  /** Names that are not remembered have not changed since. */
  let forgotten = first
  let bytes = 0

  function put(name: Name, commit: number): void {
    if (!last.delete(name)) bytes += sizeOf(name)
    last.set(name, commit)
    for (const [oldest, changed] of last) {
      if (bytes <= MAX_BYTES) return
      forgotten = changed
      bytes -= sizeOf(oldest)
      last.delete(oldest)
    }
  }

  function isSame(names: ReadonlySet<Name>, since: number): boolean {
    if (since < forgotten) return false
    for (const name of names) if ((last.get(name) ?? 0) > since) return false
    return true
  }

  return {
    now: () => shown,
    note(names, commit) {
      for (const name of names) put(name, commit)
      shown = Math.max(shown, commit)
    },
    forget() {
      shown += 1
      forgotten = shown
      last.clear()
      bytes = 0
    },
    trace() {
      const names = new Set<Name>()
      const begun = shown
      return {
        names,
        sizeBytes: () => Array.from(names, sizeOf).reduce((sum, size) => sum + size, 0),
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
