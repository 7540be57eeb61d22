// Contents of a data directory before a measurement. The first scenario that needs a fixture creates it, and
// the fixture lives until the end of the run. Scenarios of one fixture therefore see the changes of the
// earlier ones.

import { join } from 'node:path'
import pMap from 'p-map'
import { fillArticles, makeArticles, newArticleOf, TABLE } from './articles.ts'
import type { Load, Site } from './load.ts'
import { makeKey, startCms } from './processes.ts'
import { changes, post, scattered, textOf, upload } from './requests.ts'
import { scratchDir } from './scratch.ts'
import { ADDRESSES, TABLE_SIZE } from './settings.ts'

const KIB = 1024

export interface Fixture {
  readonly fill: (site: Site) => Promise<void>
  /** Concurrent writes to the table that is measured, spread over all records. */
  readonly changes: (site: Site) => Load
}

/** Every new site already has the folders before this number. */
export const FIRST_FOLDER = 13

/** The number of a file by its index. Files get no number that a folder has: a new site has the folders 1 and 12. */
export function fileNumber(index: number): number {
  return index + (index < 10 ? 2 : 3)
}

export const FOLDERS: Fixture = {
  fill: (site) =>
    inTurns(ADDRESSES, 1, (at) => post(site, '/api/v2/asset_category', { name: `folder-${at}` })),
  changes: (site) =>
    changes(site, (count) => ({
      path: `/api/v2/asset_category/${FIRST_FOLDER + scattered(count, ADDRESSES)}`,
      body: { title: `title ${count}` },
    })),
}

export const PAGES = pages(1 * KIB)
export const PAGES_10K = pages(10 * KIB)

export const LARGE_FILE: Fixture = {
  fill: async (site) => {
    await upload(site, Buffer.alloc(64 * KIB * KIB, 'x'), 'large.bin')
    await fillPages(site, 1 * KIB)
  },
  changes: (site) => saves(site, 1),
}

/** A file of 1 MB of the public site; the writes go to pages beside it. */
export const PICTURE: Fixture = {
  fill: async (site) => {
    await upload(site, Buffer.alloc(KIB * KIB, '\xff\xd8\xff\xe0', 'latin1'), 'picture.jpg')
    await fillPages(site, 1 * KIB)
  },
  changes: (site) => saves(site, 1),
}

/** Files that are not pages. */
export const FILES: Fixture = {
  fill: (site) =>
    inTurns(ADDRESSES, 1, (at) => upload(site, Buffer.from(`%PDF-1.4 ${at}`), `${at}.pdf`)),
  changes: (site) =>
    changes(site, (count) => ({
      path: `/api/v2/asset_file/${fileNumber(scattered(count, ADDRESSES))}`,
      body: { title: `title ${count}` },
    })),
}

export function articles(size: number): Fixture {
  const known = tables.get(size)
  if (known !== undefined) return known
  const fixture: Fixture = {
    fill: async (site) => {
      await makeArticles(site)
      await fillArticles(site, size)
    },
    changes: (site) =>
      changes(site, (count) => ({
        path: `${TABLE}/${1 + scattered(count, size)}`,
        body: { author: `author of ${count}`, category: `category ${count % 50}` },
      })),
  }
  tables.set(size, fixture)
  return fixture
}

const tables = new Map<number, Fixture>()

export const PUBLIC_ARTICLES: Fixture = {
  ...articles(TABLE_SIZE),
  fill: async (site) => {
    await articles(TABLE_SIZE).fill(site)
    await post(site, '/api/v2/datatable/1', { public: true })
  },
}

/** Writes that create new entries. */
export function newArticles(site: Site, pathOf: (count: number) => string): Load {
  return changes(site, (count) => ({ path: pathOf(count), body: newArticleOf(count) }))
}

export function pageName(index: number): string {
  return `page-${index}.html`
}

function pages(size: number): Fixture {
  return { fill: (site) => fillPages(site, size), changes: (site) => saves(site, 0) }
}

/**
 * Publishes the pages. Lists run one after another, because downloads derive the address of a page
 * from its identifier and name.
 */
async function fillPages(site: Site, size: number): Promise<void> {
  await post(site, '/api/v2/asset_category/1', { public: true })
  for (let from = 0; from < ADDRESSES; from += PAGES_A_LIST) {
    const list = Array.from({ length: Math.min(PAGES_A_LIST, ADDRESSES - from) }, (_, at) => ({
      name: pageName(from + at),
      type: 'html',
      parent_category_id: 1,
      pageContent: textOf(size, from + at),
      fileState: 'publish',
    }))
    await post(site, '/api/v2/asset_file', list)
  }
}

/** Saves that are not published. */
function saves(site: Site, first: number): Load {
  return changes(site, (count) => ({
    path: `/api/v2/asset_file/${fileNumber(first + scattered(count, ADDRESSES))}`,
    body: { pageContent: textOf(KIB, -count) },
  }))
}

const PAGES_A_LIST = 50
const IN_FLIGHT = 8

async function inTurns(
  size: number,
  step: number,
  make: (from: number, count: number) => Promise<unknown>,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(size / step) }, (_, at) => at * step)
  await pMap(starts, (from) => make(from, Math.min(step, size - from)), { concurrency: IN_FLIGHT })
}

export interface Prepared {
  readonly data: string
  readonly key: string
  readonly fillSeconds: number
}

const prepared = new Map<Fixture, Promise<Prepared>>()

export function prepare(fixture: Fixture): Promise<Prepared> {
  const ready = prepared.get(fixture) ?? fillOne(fixture)
  prepared.set(fixture, ready)
  return ready
}

async function fillOne(fixture: Fixture): Promise<Prepared> {
  console.error('  filling …')
  const data = join(scratchDir(), 'data')
  const cms = await startCms(data)
  try {
    const key = makeKey(data)
    const began = performance.now()
    await fixture.fill({ url: cms.url, key })
    return { data, key, fillSeconds: (performance.now() - began) / 1_000 }
  } finally {
    await cms.stop()
  }
}
