// The oracle of the kill rig: what the clients know of each file.

export interface Expected {
  /** SHA-256 of the latest version. */
  readonly latest: string
  readonly version: number
  readonly live: number | null
}

export interface Known {
  readonly files: Map<number, Expected>
  /** Files with a write under way, and what it makes of them; undefined: they are deleted. */
  readonly busy: Map<number, Expected | undefined>
  acknowledged: number
}

export function newKnown(): Known {
  return { files: new Map(), busy: new Map(), acknowledged: 0 }
}

/** The write is done: the file is what it made of it. */
export function settle({ files, busy }: Known, id: number): void {
  const next = busy.get(id)
  busy.delete(id)
  if (next === undefined) files.delete(id)
  else files.set(id, next)
}
