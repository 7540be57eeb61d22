// Facts in ARCHITECTURE.md and docs/internals that a program can check: the table of addresses matches the
// routes, every file that a page names exists, and no page exceeds its limit.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routesByFile } from '../lib/api/routes.ts'
import { OBJECTS } from '../lib/schema/catalog.ts'
import { ROUTE_OPTIONS } from './helpers/route-options.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAX_WORDS = { overview: 2_000, internals: 1_200 } as const
const INTERNALS = readdirSync(join(ROOT, 'docs/internals')).map((name) => `docs/internals/${name}`)
const PAGES = ['ARCHITECTURE.md', ...INTERNALS]

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const NAMES = OBJECTS.map(({ name }) => name).join('|')
const COMMON = new RegExp(`^/api/v2/(?:${NAMES})(?=$|/:\\w+$|/(?:bulk|search)$)`)

/**
 * An address in the form of the documents: `/api/v2/{object}/{id}` if every object has the address.
 */
function shown(path: string): string {
  return path
    .replace(COMMON, '/api/v2/{object}')
    .replace(/\(.*\)$/, '')
    .replace(/:(\w+)/g, '{$1}')
}

function addressTable(): string {
  const files = routesByFile(ROUTE_OPTIONS, () => [])
  const rows = Object.entries(files).map(([file, routes]) => {
    const paths = [...new Set(routes.map(({ path }) => shown(path)))]
    return `| \`${file}\` | ${paths.map((path) => `\`${path}\``).join(', ')} |`
  })
  return ['| File in `lib/api/` | Addresses |', '|---|---|', ...rows].join('\n')
}

test('ARCHITECTURE.md has the table of addresses that follows from the routes', () => {
  const table = addressTable()
  assert.ok(read('ARCHITECTURE.md').includes(table), `ARCHITECTURE.md must contain:\n${table}`)
})

for (const page of PAGES) {
  test(`every file that ${page} mentions exists`, () => {
    const named = [...read(page).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|js))`/g)]
    const paths = named.map(([, path = '']) => path).filter((path) => path.includes('/'))
    const missing = paths.filter(
      (path) => !['', 'lib', 'test'].some((folder) => existsSync(join(ROOT, folder, path))),
    )
    assert.deepEqual(
      missing.filter((path) => !/NAME/.test(path)),
      [],
    )
  })

  test(`${page} keeps its limit of words`, () => {
    const limit = page === 'ARCHITECTURE.md' ? MAX_WORDS.overview : MAX_WORDS.internals
    assert.ok(read(page).split(/\s+/).length <= limit)
  })
}
