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
  add(name: Name): void
  addAll(names: Iterable<Name>): void
  /** True where nothing at all has changed since it was begun: also of what it will read yet, nothing is older than now. */
  isNewest(): boolean
  /** Nothing more is added. Gives isCurrent: true where all of it is as it was read; false, too, where that is not known any more. */
  close(): () => boolean
}

/** Names whose last change is remembered; of others it is known that it is older than that of all of these. */
const MAX_NAMES = 32_768

export function openChanges(first: number): Changes {
  /** The last commit that changed it, the oldest of them first. */
  const last = new Map<Name, number>()
  let shown = first
  /** Names that are not remembered have not changed since. */
  let forgotten = first

  function put(name: Name, commit: number): void {
    last.delete(name)
    last.set(name, commit)
    if (last.size <= MAX_NAMES) return
    const [oldest] = last
    if (oldest === undefined) return
    forgotten = oldest[1]
    last.delete(oldest[0])
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
    },
    trace() {
      const names = new Set<Name>()
      const begun = shown
      return {
        names,
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
