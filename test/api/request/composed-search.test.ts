// Texts in two Unicode forms: a search for either form finds both, with and without an index.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { nameHolds } from '../../../lib/admin/client/search.ts'
import { make, makeFolder, read, uploadFile } from '../../helpers/content.ts'
import { entriesOf, listAll, listEntries, makeEntries, makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

// Composed, decomposed, partly composed (Vietnamese from Windows keyboards), and Hangul as macOS writes it.
// The last text has characters that Unicode replaces on composition: Ohm and compatibility ideographs.
const WORDS = [
  'Ω 調査 豈',
  'Übersicht.pdf',
  'ếch',
  '한국어 문서 목록',
  'Größe ÄÖÜ äöü éèê',
  'Ångström',
]
const formsOf = (word: string): readonly string[] => [
  ...new Set([
    ...[word, word.normalize('NFD'), word.replaceAll('ế', 'ê\u0301')],
    word.replaceAll('Ω', '\u2126').replaceAll('調', '\ufab9').replaceAll('豈', '\uf900'),
  ]),
]

type Search = (text: string) => object
const SEARCHES: Readonly<Record<string, Search>> = {
  equality: (text) => ({ c: text }),
  $in: (text) => ({ c: { $in: ['other', text] } }),
  $startsWith: (text) => ({ c: { $startsWith: text.split(/[ .]/)[0] ?? '' } }),
  $endsWith: (text) => ({ c: { $endsWith: text.split(/[ .]/).at(-1) ?? '' } }),
  $contains: (text) => ({ c: { $contains: text } }),
  $regex: (text) => ({ c: { $regex: `^${text}$` } }),
  'a pattern': (text) => ({ c: `/^${text.toLowerCase()}$/i` }),
  '$not $ne': (text) => ({ $not: { c: { $ne: text } } }),
  '$not $nin': (text) => ({ $not: { c: { $nin: [text] } } }),
  'a column without an index': (text) => ({ x: text }),
  'its part': (text) => ({ x: { $contains: text } }),
}

describe('a text in a column', () => {
  let url: string
  before(async () => {
    ;({ url } = await makeTable(server, 'c C(80), x X(Large)'))
    const others = Array.from({ length: 300 }, (_, at) => ({ c: `U${at}`, x: 'e' }))
    await makeEntries(server, url, [
      ...others,
      ...WORDS.flatMap(formsOf).map((word) => ({ c: word, x: word })),
    ])
  })

  for (const [name, search] of Object.entries(SEARCHES)) {
    test(`is found by ${name} in both forms and stored unchanged`, async () => {
      for (const word of WORDS)
        for (const form of formsOf(word)) {
          const found = await listAll(server, url, { qry: search(form) })
          const texts = found.map((entry) => String(entry.c)).toSorted()
          assert.deepEqual(texts, formsOf(word).toSorted(), `${name} ${JSON.stringify(form)}`)
        }
    })
  }

  test('is found by table_filter and counted exactly', async () => {
    for (const form of formsOf('Übersicht.pdf')) {
      const filtered = await listEntries(server, url, { table_filter: form.toLowerCase() })
      assert.equal(entriesOf(filtered).length, 2)
      for (const qry of [{ c: form }, { c: { $startsWith: form } }]) {
        const counted = await listEntries(server, url, { qry, count: 'exact', length: 1 })
        assert.equal(counted.page.total, 2)
      }
    }
  })

  test('does not begin with the base letter of its first character', async () => {
    const found = await listAll(server, url, { qry: { c: { $startsWith: 'Ubersicht' } } })
    assert.deepEqual(found, [])
    const letters = await listAll(server, url, { qry: { c: { $startsWith: 'e' } } })
    assert.deepEqual(letters, [])
  })
})

describe('a decomposed name', () => {
  const name = 'Prüfung Ångström'
  const decomposed = name.normalize('NFD')

  const MADE: Readonly<Record<string, () => Promise<unknown>>> = {
    asset_category: () => makeFolder(server, { name: decomposed }),
    datatable: () => make(server, 'datatable', { name: decomposed, table_schema: 'a I' }),
    calendar: () => make(server, 'calendar', { name: decomposed }),
    user: () => make(server, 'user', { name: decomposed, role: 'viewer' }),
    asset_file: () => uploadFile(server, 'x', { fileName: `${decomposed}.txt` }),
  }

  for (const [object, makeIt] of Object.entries(MADE))
    test(`of ${object} is found in both forms`, async () => {
      await makeIt()
      for (const text of [name, decomposed])
        for (const condition of [{ $startsWith: text }, { $contains: text }, nameHolds(text)]) {
          const qry = encodeURIComponent(JSON.stringify({ name: condition }))
          const { body } = await read(server, `/api/v2/${object}?qry=${qry}`)
          assert.equal(body[object].length, 1, JSON.stringify(condition))
          const filter = encodeURIComponent(text.toUpperCase())
          const filtered = await read(server, `/api/v2/${object}?table_filter=${filter}`)
          assert.equal(filtered.body[object].length, 1)
        }
    })
})
