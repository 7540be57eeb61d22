// The definition of a worst-case request, and the worst-case requests that the routes of every
// object share.

import { LIMITS } from '../../../lib/config/limits.ts'
import { queryOf } from '../../helpers/modules.ts'
import type { Call } from '../../helpers/server.ts'
import { LONG, type Site, TEXT } from './site.ts'

export interface Ask {
  readonly what: string
  /** Prepares new data for each attempt of this request; not measured. */
  readonly prepare?: (site: Site) => Promise<any>
  readonly path: (site: Site, made: any) => string
  readonly call?: (site: Site, made: any) => Call
  /** The maximum size of the answer; the size of a record by default. */
  readonly maxBytes?: number
  /**
   * The expected status, or several if it depends on the size of the site. 0 means any refusal. By default the
   * request must succeed.
   */
  readonly status?: number | readonly number[]
}

export type Asks = Readonly<Record<string, readonly Ask[]>>

export const MIB = 1024 * 1024
/** The maximum size that a single request can give a record, including derived values. */
export const RECORD_BYTES = 2 * MIB
/**
 * A page of a list ends before the record that would exceed the limit; the first record is always
 * included.
 */
export const LIST_BYTES = LIMITS.listBytes + RECORD_BYTES
export const PAGE_BYTES = LIMITS.pageJsonBytes + RECORD_BYTES
export const PROBLEM_BYTES = 1 * MIB

export const byAdmin = ({ keys }: Site): Call => ({ key: keys.admin })
export const byRoles = ({ keys }: Site): Call => ({ key: keys.roles })

/** Makes the same data only once for several requests that change nothing in it. */
export function once<T>(make: (site: Site) => Promise<T>): (site: Site) => Promise<T> {
  const known = new WeakMap<Site, Promise<T>>()
  return (site) => {
    const made = known.get(site) ?? make(site)
    known.set(site, made)
    return made
  }
}

export function lists(object: string, further: readonly Ask[] = []): readonly Ask[] {
  const path = `/api/v2/${object}`
  const maxBytes = LIST_BYTES
  return [
    { what: 'the longest page', path: () => `${path}?length=1000`, maxBytes },
    {
      what: 'from its end, counted',
      path: () => `${path}?length=1000&orderDir=DESC&count=exact&table_filter=zzzz`,
      maxBytes,
    },
    {
      what: 'where many folders have roles of their own',
      path: () => `${path}?length=1000&count=exact`,
      call: byRoles,
      maxBytes,
    },
    {
      what: 'far behind',
      path: () => `${path}?length=1&start=9000000000`,
      maxBytes,
    },
    {
      what: 'a regular expression',
      path: () =>
        `${path}?length=1000&${queryOf({ qry: { name: { $regex: '(a?){200}a{200}' } } })}`,
      maxBytes,
    },
    {
      what: 'many values',
      path: () =>
        `${path}?length=1000&${queryOf({
          qry: { name: { $nin: Array.from({ length: 500 }, (_, index) => `v${index}`) } },
        })}`,
      maxBytes,
    },
    {
      what: 'nested as deep as it goes',
      path: () => {
        let qry: object = { name: { $ne: 'x' } }
        for (let depth = 0; depth < 12; depth++) qry = { $not: qry }
        return `${path}?length=1000&${queryOf({ qry })}`
      },
      maxBytes,
    },
    ...further.map((ask) => ({ maxBytes, ...ask })),
  ]
}

export const one =
  (object: string, id: (site: Site) => number) =>
  (site: Site): string =>
    `/api/v2/${object}/${id(site)}`

/** The maximum number of unknown members of a body. */
const wrong = (prefix = 'nothing'): object =>
  Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`${prefix}${index}`, LONG]))

export function writes(
  object: string,
  fields: (site: Site) => object,
): Record<string, readonly Ask[]> {
  const prepare = (site: Site): Promise<number> =>
    site.make(object, { ...fields(site), name: site.name() })
  const path = (_: Site, id: number): string => `/api/v2/${object}/${id}`
  return {
    [`POST /api/v2/${object}`]: [
      {
        what: 'as much as there is room for',
        path: () => `/api/v2/${object}`,
        call: (site) => ({ json: { ...fields(site), name: site.name(), description: TEXT } }),
      },
      {
        what: 'wrong throughout',
        path: () => `/api/v2/${object}`,
        call: () => ({ json: wrong() }),
        maxBytes: PROBLEM_BYTES,
        status: 422,
      },
    ],
    [`POST /api/v2/${object}/:id`]: [
      {
        what: 'as much as there is room for',
        prepare,
        path,
        call: () => ({ json: { description: TEXT } }),
      },
      {
        what: 'wrong throughout',
        prepare,
        path,
        call: () => ({ json: wrong() }),
        maxBytes: PROBLEM_BYTES,
        status: 422,
      },
    ],
    [`DELETE /api/v2/${object}/:id`]: [{ what: 'one', prepare, path }],
  }
}
