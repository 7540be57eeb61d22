// The people of the site, for pages that show who did something. Only administrators can read other users; everybody else
// sees the names that records keep.

import { useEffect } from 'preact/hooks'
import { type Api, dataOf } from './api.ts'
import { type Cell, openCell, useCell } from './cell.ts'
import { useApi, useMe } from './client-context.ts'
import { type Me, mayEverywhere } from './me.ts'

interface KnownPerson {
  readonly user_id: number
  readonly name: string
  readonly display_name: string | null
  readonly former_names: readonly string[] | null
}

/** A person as a record or a row keeps it. */
export interface NamedPerson {
  /** The sign-in name at that time. */
  readonly name: string
  readonly id?: number | null | undefined
}

type People = readonly KnownPerson[]

/** On a larger site, the other users appear with the names that records keep. */
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

/** Returns a function that finds the present names of a person. */
export function usePeople(): (person: NamedPerson) => KnownPerson | undefined {
  const api = useApi()
  const me = useMe()
  const directory = directoryOf(api)
  const people = useCell(directory.people)
  const mayRead = me !== undefined && mayEverywhere(me, 'admin')
  useEffect(() => {
    if (mayRead && performance.now() - directory.readAtMs > FRESH_MS) void read(api, directory)
  }, [mayRead])
  const known = mayRead ? people : []
  return (person) => find(known, person) ?? find(selfOf(me), person)
}

async function read(api: Api, directory: Directory): Promise<void> {
  directory.readAtMs = performance.now()
  const fields = 'user_id,name,display_name,former_names'
  const query = { fields, length: MOST, orderStr: 'date_modified', orderDir: 'DESC' } as const
  // Without an answer, the names that records keep are shown.
  const found = await dataOf(api.GET('/user', { params: { query } })).catch(() => undefined)
  if (found === undefined) directory.readAtMs = Number.NEGATIVE_INFINITY
  else directory.people.set(found.user as People)
}

function selfOf(me: Me | undefined): People {
  return me === undefined ? [] : [{ ...me.user, former_names: null }]
}

function find(people: People, { id, name }: NamedPerson): KnownPerson | undefined {
  if (typeof id === 'number') return people.find(({ user_id: other }) => other === id)
  return people.find((each) => each.name === name || each.former_names?.includes(name) === true)
}
