// Caches the numbers that replace names in keys (type-numbers.ts): for each type the prefixes of its keys. What a commit
// reads or assigns stays private to it until the commit is acknowledged: a rolled-back commit has assigned nothing, and
// the next commit may run before its outcome is known.

/** Prefixes of the keys of a type. */
export interface TypeKeys {
  readonly record: Buffer
  readonly count: Buffer
  readonly highestId: Buffer
  /** Prefix of the rows of all indexes. */
  readonly rows: Buffer
  /** Prefix of the rows of each index, by index name. */
  readonly indexes: ReadonlyMap<string, Buffer>
}

export interface KnownKeys {
  get(typeName: string): TypeKeys | undefined
  /** Stores prefixes that were read. */
  set(typeName: string, keys: TypeKeys): void
  /** Stores prefixes that this commit has changed. */
  give(typeName: string, keys: TypeKeys): void
  /** In a commit: whether it has assigned numbers, which other processes may not know yet. */
  hasGiven(): boolean
}

/** Prefixes known for an open store. */
export interface Known extends KnownKeys {
  /** Makes the next use read the prefixes again. */
  forget(typeName: string): void
  /** Forgets everything, because another process may have assigned other numbers. */
  clear(): void
  begin(): Learning
}

/** Prefixes that one commit knows in addition. */
export interface Learning extends KnownKeys {
  /** Runs a plan. Prefixes read during the plan may be rolled back, so they are not shared. */
  run<T>(plan: () => T): T
  /** The commit is acknowledged: its prefixes are shared. */
  confirm(): void
}

export function openKnown(): Known {
  const known = new Map<string, TypeKeys>()
  let isPlanRunning = false

  function set(typeName: string, keys: TypeKeys): void {
    if (!isPlanRunning) known.set(typeName, keys)
  }

  return {
    get: (typeName) => known.get(typeName),
    set,
    give: set,
    hasGiven: () => false,
    forget: (typeName) => void known.delete(typeName),
    clear: () => known.clear(),
    begin() {
      const own = new Map<string, TypeKeys>()
      let hasGiven = false
      return {
        get: (typeName) => own.get(typeName) ?? known.get(typeName),
        set: (typeName, keys) => void own.set(typeName, keys),
        give(typeName, keys) {
          own.set(typeName, keys)
          hasGiven = true
        },
        hasGiven: () => hasGiven,
        run(plan) {
          isPlanRunning = true
          try {
            return plan()
          } finally {
            isPlanRunning = false
          }
        },
        confirm() {
          for (const [typeName, keys] of own) known.set(typeName, keys)
        },
      }
    },
  }
}
