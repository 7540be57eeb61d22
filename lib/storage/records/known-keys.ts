// What this process knows of the numbers that keys have in place of names (type-numbers.ts): for each type the
// beginnings of its keys. What a commit learns or gives is its own until it is acknowledged: one that is rolled
// back has given nothing, and the next may run before anybody hears of it.

/** The beginnings of the keys of a type. */
export interface TypeKeys {
  readonly record: Buffer
  readonly count: Buffer
  readonly highestId: Buffer
  /** Of the rows of all indexes. */
  readonly rows: Buffer
  /** Of the rows of each index, by its name. */
  readonly indexes: ReadonlyMap<string, Buffer>
}

export interface KnownKeys {
  get(typeName: string): TypeKeys | undefined
  /** They were read. */
  set(typeName: string, keys: TypeKeys): void
  /** They are others than before, by what this commit writes. */
  give(typeName: string, keys: TypeKeys): void
  /** In a commit: whether it has given numbers, which is more than others may know. */
  hasGiven(): boolean
}

/** What is known of a store that is open. */
export interface Known extends KnownKeys {
  /** To be read again when it is needed next. */
  forget(typeName: string): void
  /** All of it is to be read again: another process may have given other numbers. */
  clear(): void
  begin(): Learning
}

/** What one commit knows beside it. */
export interface Learning extends KnownKeys {
  /** Runs a plan. What is read meanwhile, by whatever way, may be rolled back, and is not noted for others. */
  run<T>(plan: () => T): T
  /** The commit is acknowledged: others may know. */
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
