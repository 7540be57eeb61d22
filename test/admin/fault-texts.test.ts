// Pages show field errors of the server in their own language, so they must know each sentence. The test
// provokes every sentence on the server. Each problem that a page can meet must have a text.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  STML_FAULT_WORDS,
  stmlFaultText,
  type StmlFaultName,
} from '../../lib/admin/pages/editor/stml-checker.ts'
import { FAULT_WORDS, type FaultName, faultText } from '../../lib/admin/ui/fault-text.ts'
import { type ErrorCode } from '../../lib/base/errors.ts'
import { PROBLEMS } from '../../lib/base/problem-table.ts'
import { allTexts } from './all-texts.ts'
import { make } from '../helpers/content.ts'
import { startTestServer, type TestServer } from '../helpers/server.ts'

const [en, de] = await Promise.all([allTexts('en'), allTexts('de')])

const COLUMNS =
  'short C(5), sole C(9) UNIQUE, whole I, real F UNSIGNED, amount N(4.2), ' +
  "kind ENUM('a','b'), day D, is_on L, must C(5) NOTNULL, few I MIN 3 MAX 5, " +
  "term D MIN 2026-01-01 MAX 2026-12-31, word C(9) MATCH '^[a-z]+$', CHECK(few < 5 OR whole > 0), UNIQUE(short, kind), " +
  "tags SET('a','b'), need SET('a') NOTNULL DEFAULT a, mail EMAIL, site URL, tint COLOR, uid UUID, data JSON, place POINT"

interface Wrong {
  readonly path: string
  readonly json: object
  readonly method?: string
  readonly key?: string
}

let server: TestServer
let entries: string
let events: string
before(async () => {
  server = await startTestServer()
  const table = { name: 'Things', parent_category_id: 1, table_schema: COLUMNS }
  entries = (await make(server, 'datatable', table)).module_url
  const calendar = { name: 'Days', parent_category_id: 1, table_schema: 'note C(9)' }
  events = (await make(server, 'calendar', calendar)).module_url
  const first = await server.call('POST', entries, {
    json: [{ must: 'x', sole: 'one', short: 'two', kind: 'a' }],
  })
  assert.equal(first.status, 201, first.text)
})
after(() => server.close())

const FOLDER = '/api/v2/asset_category'
const KEY = '/api/v2/api_key'
const folder = (name: string): Wrong => ({ path: FOLDER, json: { name, parent_category_id: 1 } })
const file = (values: object): Wrong => {
  const json = { name: 'x', type: 'html', parent_category_id: 1, ...values }
  return { path: '/api/v2/asset_file', json }
}
const entry = (values: object): Wrong => ({ path: entries, json: { must: 'x', ...values } })
const event = (values: object): Wrong => {
  const json = { event_title: 'x', start_time: '2026-03-02', all_day: true, ...values }
  return { path: events, json }
}

const WRONG: Readonly<Record<FaultName, () => Wrong | Promise<Wrong>>> = {
  required: () => ({ path: FOLDER, json: { parent_category_id: 1 } }),
  notNull: () => ({ path: FOLDER, json: { name: null, parent_category_id: 1 } }),
  empty: () => folder(''),
  unseen: () => folder('\u200B'),
  hiddenEnd: () => folder('ann\u00A0'),
  taken: () => folder('Modules'),
  unique: () => entry({ sole: 'one' }),
  uniqueTogether: () => entry({ short: 'two', kind: 'a' }),
  characters: () => entry({ short: 'longer' }),
  bytes: () => file({ name: 'ä'.repeat(200) }),
  fewCharacters: () => ({ path: '/api/v2/user/2/password', json: { password: 'short' } }),
  fewDifferent: () => ({ path: '/api/v2/user/2/password', json: { password: 'abababababab' } }),
  dots: () => folder('..'),
  slash: () => folder('a/b'),
  control: () => folder('a\u202Eb'),
  whole: () => entry({ whole: 10 ** 12 }),
  number: () => entry({ amount: 'many' }),
  negative: () => entry({ real: -1 }),
  least: () => entry({ few: 2 }),
  most: () => entry({ few: 6 }),
  early: () => entry({ term: '2025-12-31' }),
  late: () => entry({ term: '2027-01-01' }),
  pattern: () => entry({ word: 'A' }),
  check: () => entry({ few: 5, whole: 0 }),
  digitsBefore: () => entry({ amount: '123.4' }),
  decimals: () => entry({ amount: '1.234' }),
  oneOf: () => entry({ kind: 'c' }),
  listOf: () => entry({ tags: ['c'] }),
  listTwice: () => entry({ tags: ['a', 'a'] }),
  listEmpty: () => entry({ need: [] }),
  email: () => entry({ mail: 'ada' }),
  url: () => entry({ site: 'example.com' }),
  color: () => entry({ tint: 'red' }),
  uuid: () => entry({ uid: '1' }),
  point: () => entry({ place: [0, 91] }),
  jsonNumber: () => entry({ data: 2 ** 60 }),
  jsonDepth: () => entry({ data: JSON.parse(`${'['.repeat(31)}${']'.repeat(31)}`) as unknown }),
  jsonSize: () => entry({ data: 'x'.repeat(256 * 1024) }),
  date: () => entry({ day: 'today' }),
  yesOrNo: () => entry({ is_on: 'maybe' }),
  folderGone: () => ({ path: FOLDER, json: { name: 'x', parent_category_id: 999 } }),
  userGone: () => ({ path: KEY, json: { name: 'x', user_id: 999 } }),
  async inItself() {
    const { asset_category_id: id } = await make(server, 'asset_category', folder('Own').json)
    return { method: 'PATCH', path: `${FOLDER}/${id}`, json: { parent_category_id: id } }
  },
  past: () => ({ path: KEY, json: { name: 'x', date_expires: '2001-01-01T00:00:00Z' } }),
  async beyondKey() {
    const key = await server.makeKey({ name: 'short', expires: '1h' })
    return { key, path: KEY, json: { name: 'x', date_expires: '2099-01-01T00:00:00Z' } }
  },
  endFirst: () => event({ end_time: '2026-03-01' }),
  eventYear: () => event({ end_time: '9999-12-31T23:59:59Z' }),
  untilFirst: () => event({ end_time: '2026-03-03', rrule: 'FREQ=DAILY;UNTIL=20260101' }),
  token: () => file({ type: 'a b' }),
  async moreThanOwn() {
    const key = await server.makeKey({ name: 'people', grants: 'view,admin' })
    return { key, path: '/api/v2/user', json: { name: 'x', role: 'editor' } }
  },
  noText: () => file({ name: 'x.png', type: 'png', pageContent: 'text' }),
  noQry: () => ({
    method: 'PATCH',
    path: '/api/v2/datatable/1',
    json: { public_filter: { x: 1 } },
  }),
  readOnly: () => ({ method: 'PATCH', path: `${FOLDER}/12`, json: { owner: 'x' } }),
}

describe('a sentence of the server about a field', () => {
  for (const [name, wrong] of Object.entries(WRONG)) {
    test(`is translated: ${name}`, async () => {
      const { method = 'POST', path, json, key } = await wrong()
      const answer = await server.call(method, path, { json, ...(key !== undefined && { key }) })
      const details = (answer.body?.errors ?? []).map(({ detail }: { detail: string }) => detail)
      const word = FAULT_WORDS[name as FaultName]
      const known = details.find((detail: string) => word.test(detail))
      assert.ok(known !== undefined, `${answer.status} ${answer.text}`)
      for (const { faults } of [en, de]) {
        const told = faultText(known, faults)
        // Exactly this text is used, and all its placeholders are filled.
        const [before = ''] = faults[name as FaultName].split('{')
        assert.ok(told.startsWith(before), told)
        assert.doesNotMatch(told, /[{}]|undefined|: \.$/)
      }
    })
  }

  test('is shown unchanged if it has no translation', () => {
    assert.equal(faultText('is odd', en.faults), 'The server rejected this value: is odd')
    assert.equal(faultText('is odd'), 'is odd')
  })
})

const WRONG_PAGES: Readonly<Record<StmlFaultName, string>> = {
  nul: '<div id="dd.0">\0</div>',
  outside: '<div id="dd.0"></div>here',
  piece: '<div id="dd.0"><!-- ',
  doctype: '<!DOCTYPE html><div id="dd.0"></div>',
  entities: '<!ENTITY a "b"><div id="dd.0"></div>',
  secondRoot: '<div id="dd.0"></div><p></p>',
  otherRoot: '<p></p>',
  depth: `<div id="dd.0">${'<b>'.repeat(2_000)}`,
  zone: '<div id="dd.0"><p id="dd.1"></p>\n<p id="dd.1"></p></div>',
  closesNothing: '</p>',
  closesOther: '<div id="dd.0"><p></div>',
  open: '<div id="dd.0">',
  noRoot: ' ',
  tag: '<div id="dd.0"><p ',
  quote: '<div id="dd.0"><p class="a></div>',
}

describe('a sentence of the server about a page', () => {
  for (const [name, pageContent] of Object.entries(WRONG_PAGES)) {
    test(`is translated: ${name}`, async () => {
      const { body, text } = await server.call('POST', '/api/v2/stml/check', {
        json: { pageContent },
      })
      const [{ detail = '' } = {}] = body.faults ?? []
      assert.match(detail, STML_FAULT_WORDS[name as StmlFaultName], text)
      const told = stmlFaultText(detail, de.editor.stml)
      const [before = ''] = de.editor.stml[name as StmlFaultName].split('{')
      assert.ok(told.startsWith(before) && told !== detail, told)
      assert.doesNotMatch(told, /[{}]|undefined/)
    })
  }

  test('is shown unchanged if it has no translation', () => {
    assert.equal(stmlFaultText('Something odd.', de.editor.stml), 'Something odd.')
  })
})

/** Problems that only other programs can cause, with the reasons. */
const NEVER_MET: Readonly<Partial<Record<ErrorCode, string>>> = {
  'module-renamed': 'browsers follow it',
  'bad-json': 'a body is made by JSON.stringify',
  'bad-multipart': 'a form is made by FormData',
  'prefetch-refused': 'no page fetches before it needs something',
  'ticket-as-code': 'no page loads code by a ticket',
  'change-log-gone': 'no page follows the changes',
  'invalid-request': 'the header is made in one place',
  'method-not-allowed': 'requests are typed by the document',
  'not-acceptable': 'no page asks for another type',
  'unsupported-media-type': 'bodies say what they are in one place',
  'range-not-satisfiable': 'ranges are asked for by the browser alone',
  'not-implemented': 'requests are typed by the document',
}

test('every problem that a page can meet has a text in each language', () => {
  for (const texts of [en, de]) {
    const known = { ...texts.refusals, ...texts.problems }
    const missing = Object.keys(PROBLEMS).filter(
      (code) => !(code in known) && NEVER_MET[code as ErrorCode] === undefined,
    )
    assert.deepEqual(missing, [])
    const idle = Object.keys(texts.refusals).filter((code) => !(code in PROBLEMS))
    assert.deepEqual(idle, [])
  }
})
