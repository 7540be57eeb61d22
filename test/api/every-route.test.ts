// One message names every list that lacks a route. The recipe of a route in CONTRIBUTING.md begins here.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allRoutes } from '../../lib/api/routes.ts'
import { OPEN, ROWS } from '../auth/route-table.ts'
import { ROUTE_OPTIONS, shownAddress } from '../helpers/route-options.ts'
import { ASKS } from '../rigs/worst/asks.ts'
import { CHANGES, changingRoutes } from './trail/audit-changes.ts'

const ROUTES = allRoutes(ROUTE_OPTIONS)
const nameOf = ({ method, path }: (typeof ROUTES)[number]): string => `${method} ${path}`

test('every route is in every list that needs it', () => {
  const rows = new Set(ROWS.map(({ route }) => route))
  const changed = new Set(CHANGES.map(({ route }) => route))
  const changing = new Set(changingRoutes(ROUTES))
  const page = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  const missing = ROUTES.flatMap((route) => {
    const name = nameOf(route)
    const isOpen = route.access === 'open' || route.ignoresKey === true
    const places = [
      !isOpen && !rows.has(name) && 'its grants in ROWS of test/auth/route-table.ts',
      isOpen && !OPEN.test(name) && 'the pattern OPEN of test/auth/route-table.ts',
      changing.has(name) && !changed.has(name) && 'CHANGES of test/api/trail/audit-changes.ts',
      !(name in ASKS) && 'its largest request in test/rigs/worst/other-asks.ts',
      !page.includes(`\`${shownAddress(route.path)}\``) &&
        'the table of addresses in ARCHITECTURE.md',
    ].filter((place) => place !== false)
    return places.length === 0 ? [] : [`${name}: add ${places.join('; ')}`]
  })
  assert.equal(missing.join('\n'), '')
})
