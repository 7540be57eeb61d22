// Facts in ARCHITECTURE.md and docs/internals that a program can check: the table of addresses matches the
// routes, every file that a page names exists, and no page exceeds its limit.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { routesByFile } from '../lib/api/routes.ts'
import { ROUTE_OPTIONS, shownAddress } from './helpers/route-options.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MAX_WORDS = { overview: 2_000, internals: 1_200, guide: 6_000 } as const
const INTERNALS = readdirSync(join(ROOT, 'docs/internals')).map((name) => `docs/internals/${name}`)
const PAGES = ['ARCHITECTURE.md', ...INTERNALS]
const GUIDES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

function addressRows(): readonly string[] {
  const files = routesByFile(ROUTE_OPTIONS, () => [])
  return Object.entries(files).map(([file, routes]) => {
    const paths = [...new Set(routes.map(({ path }) => shownAddress(path)))]
    return `| \`${file}\` | ${paths.map((path) => `\`${path}\``).join(', ')} |`
  })
}

test('ARCHITECTURE.md has the table of addresses that follows from the routes', () => {
  const written = read('ARCHITECTURE.md').split('\n')
  const missing = addressRows().filter((row) => !written.includes(row))
  assert.equal(missing.join('\n'), '', 'ARCHITECTURE.md needs these rows')
  const rows = written.filter((line) => addressRows().includes(line))
  assert.deepEqual(rows, addressRows(), 'The rows have the order of lib/api/routes.ts')
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

for (const guide of GUIDES) {
  test(`docs/${guide} can be read in one sitting`, () => {
    assert.ok(read(`docs/${guide}`).split(/\s+/).length <= MAX_WORDS.guide)
  })
}
