// The people with whom the user works, for pages that show who did something. Other people appear with the names that
// records keep.

import { useEffect } from 'preact/hooks'
import { type Api, dataOf } from './api.ts'
import { type Cell, openCell, useCell } from './cell.ts'
import { useApi, useMe } from './client-context.ts'
import type { Me } from './me.ts'

type KnownPerson = Me['user']

/** A person as a record or a row keeps it. */
export interface NamedPerson {
  /** The sign-in name at that time. */
  readonly name: string
  readonly id?: number | null | undefined
}

type People = readonly KnownPerson[]

/** On a larger site, the oldest users appear with the names that records keep. */
const MOST = 1_000
const FRESH_MS = 60_000

interface Directory {
  readonly people: Cell<People>
  readAtMs: number
}

const directories = new WeakMap<Api, Directory>()

function directoryOf(api: Api): Directory {
  const known = directories.get(api)
  if (known !== undefined) return known
  const made = { people: openCell<People>([]), readAtMs: Number.NEGATIVE_INFINITY }
  directories.set(api, made)
  return made
}

export interface KnownPeople {
  readonly all: readonly KnownPerson[]
  /** The present names of a person. */
  readonly find: (person: NamedPerson) => KnownPerson | undefined
}

export function usePeople(): KnownPeople {
  const api = useApi()
  const me = useMe()
  const directory = directoryOf(api)
  const people = useCell(directory.people)
  const isSignedIn = me !== undefined
  useEffect(() => {
    if (isSignedIn && performance.now() - directory.readAtMs > FRESH_MS) void read(api, directory)
  }, [isSignedIn])
  const own = me === undefined ? [] : [me.user]
  return {
    all: people.length === 0 ? own : people,
    find: (person) => find(people, person) ?? find(own, person),
  }
}

async function read(api: Api, directory: Directory): Promise<void> {
  directory.readAtMs = performance.now()
  const params = { query: { length: MOST } }
  // Without an answer, the names that records keep are shown.
  const found = await dataOf(api.GET('/me/people', { params })).catch(() => undefined)
  if (found === undefined) directory.readAtMs = Number.NEGATIVE_INFINITY
  else directory.people.set(found.user)
}

function find(people: People, { id, name }: NamedPerson): KnownPerson | undefined {
  if (typeof id === 'number') return people.find(({ user_id: other }) => other === id)
  return people.find((each) => each.name === name || each.former_names?.includes(name) === true)
}
