// Articles with seven indexed columns and 1 KB of text. `entries` and `mix` measure them.

import type { Site } from './load.ts'
import { post } from './requests.ts'

export const TABLE = '/api/v2/module/datatable/1/articles'

/** Entries of a page. */
export const PAGE_LENGTH = 25

/** Entries per request. */
export const BULK = 250

export const SCHEMA =
  'title C(255) NOTNULL, author C(100), category C(50), price N(10.2), stock I, published D, active L, body X'

/** Creates the table and its first entry. */
export async function makeArticles(site: Site): Promise<void> {
  await makeTable(site, 'articles')
  await post(site, TABLE, articleOf(1))
}

/** Creates all further entries, in bulk requests. */
export async function fillArticles(site: Site, size: number): Promise<void> {
  await fillTable(site, TABLE, { from: 2, size })
}

export const OTHER_TABLE = '/api/v2/module/datatable/2/others'

/** Creates a second table with the same columns and size. */
export async function makeOtherTable(site: Site, size: number): Promise<void> {
  await makeTable(site, 'others')
  await fillTable(site, OTHER_TABLE, { from: 1, size })
}

async function makeTable(site: Site, name: string): Promise<void> {
  await post(site, '/api/v2/datatable', { name, title_field: 'title', table_schema: SCHEMA })
}

interface Filling {
  readonly from: number
  readonly size: number
}

async function fillTable(site: Site, path: string, { from: first, size }: Filling): Promise<void> {
  for (let from = first; from <= size; from += BULK) {
    const count = Math.min(BULK, size - from + 1)
    const articles = Array.from({ length: count }, (_, index) => articleOf(from + index))
    await post(site, path, articles)
  }
}

export function titleOf(index: number): string {
  return `article ${index}`
}

export function articleOf(index: number): object {
  return {
    title: titleOf(index),
    author: `author ${index % 997}`,
    category: `category ${index % 50}`,
    price: (index % 10_000) / 100,
    stock: index % 1_000,
    published: new Date(1_600_000_000_000 + (index % 3_000) * 86_400_000)
      .toISOString()
      .slice(0, 10),
    active: index % 2 === 0,
    body: 'lorem ipsum dolor sit amet '.repeat(38),
  }
}

const PRIME = 1_000_003

/**
 * An article that differs from all others written in this run; its values come from the whole range
 * of the table.
 */
export function newArticleOf(count: number): object {
  const index = 2_000_000 + ((count * 7_919) % PRIME) + PRIME * Math.floor(count / PRIME)
  return { ...articleOf(index), title: `${titleOf(index % 1_000_000)} of ${count}` }
}
