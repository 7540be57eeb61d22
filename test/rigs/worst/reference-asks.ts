// The largest reads that follow references: as many expanded records, related conditions and sorted entries as there can be.

import {
  MAX_BULK,
  MAX_EXPANDED_RECORDS,
  MAX_REFERENCES,
  MAX_RELATED_CONDITIONS,
  MAX_RELATED_RECORDS,
  MAX_REQUEST_REFERENCES,
} from '../../../lib/shared/limits.ts'
import { queryOf } from '../../helpers/modules.ts'
import { type Ask, LIST_BYTES, once } from './ask.ts'
import type { Module, Site } from './site.ts'

interface Made {
  readonly posts: Module
  readonly authors: Module
}

/** The bytes of all expanded records together are just below their limit. */
const TEXT = 'x'.repeat(1_800)
/** As many entries as can be sorted. */
const POSTS = 10_000

const makeOnce = once(async (site: Site): Promise<Made> => {
  const authors = await makeTable(site, 'name C(40), text X, k I')
  const count = MAX_RELATED_RECORDS
  await fill(site, authors, {
    count,
    length: MAX_BULK,
    entryOf: (at) => ({ name: `n${at}`, k: 1, ...(at < MAX_EXPANDED_RECORDS && { text: TEXT }) }),
  })
  const schema = ['one I', 'a I', 'b I'].map(
    (column, at) => `${column} REFERENCES datatable ${authors.id}${at === 0 ? '' : ' MANY'}`,
  )
  const posts = await makeTable(site, `${schema.join()}, title C(40)`)
  const half = MAX_EXPANDED_RECORDS / 2
  const list = (from: number): readonly number[] =>
    Array.from({ length: Math.min(half, MAX_REFERENCES) }, (_, at) => from + at)
  const wide = { count: 1, length: 1, entryOf: () => ({ a: list(1), b: list(half + 1) }) }
  await fill(site, posts, wide)
  await fill(site, posts, {
    count: POSTS - 1,
    length: Math.min(MAX_BULK, MAX_REQUEST_REFERENCES),
    entryOf: (at) => ({ one: 1 + (at % count), title: `t${at}` }),
  })
  return { posts, authors }
})

async function makeTable(site: Site, table_schema: string): Promise<Module> {
  const json = { name: site.name(), parent_category_id: 12, table_schema }
  const { body } = await site.call('POST', '/api/v2/datatable', { json })
  return { id: body.datatable_id, url: body.module_url }
}

interface Filling {
  readonly count: number
  readonly length: number
  readonly entryOf: (at: number) => object
}

async function fill(
  site: Site,
  { url }: Module,
  { count, length, entryOf }: Filling,
): Promise<void> {
  for (let at = 0; at < count; at += length) {
    const size = Math.min(length, count - at)
    const json = Array.from({ length: size }, (_, index) => entryOf(at + index))
    await site.call('POST', url, { json })
  }
}

function reads(what: string, query: (made: Made) => Readonly<Record<string, unknown>>): Ask {
  return {
    what,
    prepare: makeOnce,
    path: (_, made: Made) => `${made.posts.url}?${queryOf({ length: 1_000, ...query(made) })}`,
    maxBytes: LIST_BYTES,
  }
}

const BROAD = { 'one.k': 1 }

export const REFERENCE_ASKS: readonly Ask[] = [
  reads('as many expanded records as there can be', () => ({ length: 1, expand: 'a,b' })),
  reads('entries with one expanded record each', () => ({
    start: 5,
    expand: 'one',
    fields: 'title',
  })),
  reads('as many related conditions as there can be', () => ({
    qry: { $or: Array.from({ length: MAX_RELATED_CONDITIONS }, () => BROAD) },
  })),
  reads('none of many related records', () => ({ qry: { $not: BROAD }, count: 'exact' })),
  {
    ...reads('entries to which many others refer', () => ({})),
    path: (_, { posts, authors }: Made) => {
      const qry = { [`datatable_${posts.id}.one`]: { $none: { title: { $endsWith: '9' } } } }
      return `${authors.url}?${queryOf({ length: 1_000, count: 'exact', qry })}`
    },
  },
  reads('sorted by a referenced column', () => ({ orderStr: 'one.name,title' })),
]
