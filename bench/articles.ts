// The table that `entries` and `mix` measure: articles with seven indexed columns and 1 KB of text.

import { request } from 'undici'
import type { Site } from './scenarios.ts'

export const TABLE = '/api/v2/module/datatable/1/articles'

/** In one request. */
export const BULK = 500

export const SCHEMA =
  'title C(255) NOTNULL, author C(100), category C(50), price N(10.2), stock I, published D, active L, body X'

/** The table, and its first entry. */
export async function makeArticles(site: Site): Promise<void> {
  const table = { name: 'articles', title_field: 'title', table_schema: SCHEMA }
  await post(site, '/api/v2/datatable', table)
  await post(site, TABLE, articleOf(1))
}

/** All others, in lists. */
export async function fillArticles(site: Site, size: number): Promise<void> {
  for (let from = 2; from <= size; from += BULK) {
    const count = Math.min(BULK, size - from + 1)
    const articles = Array.from({ length: count }, (_, index) => articleOf(from + index))
    await post(site, TABLE, articles)
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

export async function post({ url, key }: Site, path: string, body: unknown): Promise<void> {
  const answer = await request(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 201)
    throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 500)}`)
}
