// A datatable with a column of each type, and both realistic and hostile entries.

import { make } from '../helpers/content.ts'
import { update } from '../helpers/history.ts'
import type { TestServer } from '../helpers/server.ts'

/** Identifier of the first datatable of a new site. */
export const EVENTS = 1

export const HOSTILE_VALUE =
  '<img src=x onerror="document.title=1"><script>document.title=2</script>'

/** Changes of the last entry, for its history. */
const CHANGES = [
  { text: HOSTILE_VALUE, price: '7.50' },
  { kind: 'film', text: 'W'.repeat(400) },
  { kind: 'talk', price: null, text: null },
]

const SCHEMA =
  "title C(120) NOTNULL, kind ENUM('concert','talk','film') NOTNULL, starts D, price N(8.2), visitors I, " +
  'code I8 UNIQUE, share F, is_free L, doors T, teaser C(200), text X(Large)'

const TITLES = ['Spring concert', 'On rivers', 'The long night', 'Late quartet', 'A walk in Oslo']
const KINDS = ['concert', 'talk', 'film']

/** Returns the path of the table's entries. */
export async function addDemoEntries(server: TestServer): Promise<string> {
  const { module_url: url } = await make(server, 'datatable', {
    name: 'Events',
    parent_category_id: 1,
    title_field: 'title',
    table_schema: SCHEMA,
  })
  const path = new URL(url, server.url).pathname
  const json = [
    ...Array.from({ length: 60 }, (_, at) => entryAt(at)),
    { title: HOSTILE_VALUE, kind: 'film', teaser: '\u202Egnp.exe', text: HOSTILE_VALUE },
    { title: 'W'.repeat(120), kind: 'talk', teaser: 'W'.repeat(200) },
  ]
  const { status } = await server.call('POST', path, { json })
  if (status !== 201) throw new Error(`The entries were not made: ${status}`)
  for (const change of CHANGES) await update(server, `${path}/62`, change)
  return path
}

function entryAt(at: number): object {
  const day = String((at % 28) + 1).padStart(2, '0')
  return {
    title: `${TITLES[at % TITLES.length]} ${at + 1}`,
    kind: KINDS[at % KINDS.length],
    starts: at % 7 === 3 ? null : `2026-0${(at % 9) + 1}-${day}`,
    price: at % 4 === 0 ? null : `${at + 4}.50`,
    visitors: at * 37,
    code: `${9_007_199_254_740_993n + BigInt(at)}`,
    share: at / 8,
    is_free: at % 4 === 0,
    doors: `2026-0${(at % 9) + 1}-${day}T18:30:00Z`,
    teaser: at % 5 === 0 ? '' : 'With an introduction at seven.',
    text: 'Doors open half an hour before.',
  }
}
