// Rules in the schema editor: conditions on entries, columns that are unique together, and computed columns.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { renameColumn } from '../../lib/admin/pages/data/rename-column.ts'
import { readSchema } from '../../lib/admin/pages/data/schema-columns.ts'
import {
  addEntryRule,
  dropEntryRule,
  isInside,
  readEntryRules,
  setEntryRule,
} from '../../lib/admin/pages/data/schema-entry-rules.ts'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeTable, type MadeModule } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, shows, startSite, visit, type Visit } from './area.ts'

describe('the rules of entries in a schema text', () => {
  const TEXT = "a I, CHECK ( a > (1) AND b <> ')' ),\n  b C(9), unique(a, b)"

  test('are found, changed, added and removed in place', () => {
    const rules = readEntryRules(TEXT)
    const [check, unique] = rules
    assert.ok(check !== undefined && unique !== undefined)
    assert.deepEqual(
      rules.map(({ word, argument }) => [word, argument]),
      [
        ['CHECK', "a > (1) AND b <> ')'"],
        ['UNIQUE', 'a, b'],
      ],
    )
    assert.equal(setEntryRule(TEXT, check, 'a > 2'), 'a I, CHECK (a > 2),\n  b C(9), unique(a, b)')
    assert.equal(dropEntryRule(TEXT, check), 'a I,\n  b C(9), unique(a, b)')
    assert.equal(addEntryRule('a I', 'CHECK', 'a > 0'), 'a I, CHECK(a > 0)')
  })

  test('end at their closing parenthesis', () => {
    for (const good of ['a > (1)', "a <> ')'", 'a = 1 AND b = 2'])
      assert.equal(isInside('CHECK', good), true, good)
    for (const bad of ['', '(', ')', "a <> '", 'a), b I, CHECK(b', 'a)'])
      assert.equal(isInside('CHECK', bad), false, bad)
  })
})

describe('a new name of a column in a schema text', () => {
  const rename = (text: string, from: string, to: string): string => {
    const column = readSchema(text).columns.find(({ name }) => name === from)
    assert.ok(column !== undefined)
    return renameColumn(text, column, to)
  }

  test('is written into CHECK, UNIQUE and COMPUTED, and nothing else changes', () => {
    const text =
      "min I  NOTNULL,\n total I COMPUTED '  Min*2 || ''min'' ', minor C(9) DEFAULT 'min', " +
      'CHECK( min(min,1)>0 AND minor <> \'min\' AND "MIN" < 9 ) , Unique( minor ,MIN)'
    assert.equal(
      rename(text, 'min', 'least'),
      "least I  NOTNULL,\n total I COMPUTED '  least*2 || ''min'' ', minor C(9) DEFAULT 'min', " +
        'CHECK( min(least,1)>0 AND minor <> \'min\' AND "least" < 9 ) , Unique( minor ,least)',
    )
  })

  test('has quotes in an expression only where they are needed', () => {
    const text = 'a I, b I COMPUTED "a + 1", CHECK(a > 0), CHECK(`a` < 9)'
    const word = 'in I, b I COMPUTED """in"" + 1", CHECK("in" > 0), CHECK(`in` < 9)'
    assert.equal(rename(text, 'a', 'in'), word)
    assert.equal(rename(word, 'in', '2nd'), word.replaceAll('in', '2nd'))
    assert.equal(rename('in I, CHECK("in" > 0)', 'in', 'inner'), 'inner I, CHECK(inner > 0)')
    assert.equal(rename('is I, CHECK(a IS NULL)', 'is', 'x'), 'x I, CHECK(a IS NULL)')
  })

  test('leaves a rule that cannot be read as it is', () => {
    for (const rule of ['CHECK(a > ?)', "CHECK(a > '", 'CHECK(a', 'UNIQUE(b, aa)'])
      assert.equal(rename(`a I, b I, ${rule}`, 'a', 'x'), `x I, b I, ${rule}`, rule)
  })
})

describe('the rules of entries in the schema editor', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  let table: MadeModule
  before(async () => {
    server = await startSite()
    table = await makeTable(server, 'price N(8.2), amount I DEFAULT 1, code C(9), total N(8.2)')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  async function see(viewport = { width: 1_280, height: 800 }): Promise<Visit> {
    const visited = await visit(browser, { url: server.url, user: 'admin', viewport })
    await visited.page.goto(`${server.url}/admin/data/${table.id}/schema`)
    await text(visited.page).waitFor()
    return visited
  }

  const text = (page: Page) => page.getByLabel('Schema as text')
  const schema = (page: Page) => text(page).inputValue()

  test('can be added with only the keyboard, and the server applies them', async () => {
    const { page, faults, context } = await see()
    const { keyboard } = page
    await page.getByRole('button', { name: 'Add condition' }).focus()
    await keyboard.press('Enter')
    await shows(() => page.locator(':focus').getAttribute('name'), 'entry_rule_0')
    await keyboard.type('price > (0')
    await page.getByText('Close each parenthesis').waitFor()
    await shows(() => schema(page), /total N\(8\.2\), CHECK\(price >\)$/)
    await keyboard.type(')')
    await shows(() => schema(page), /, CHECK\(price > \(0\)\)$/)
    await keyboard.type(' AND amount > 0')
    await page.getByRole('button', { name: 'Add unique columns' }).focus()
    await keyboard.press('Enter')
    await shows(() => page.locator(':focus').getAttribute('name'), 'entry_rule_1')
    await keyboard.type('code, amont')
    await page.getByText('Enter the names of at least two').waitFor()
    for (const key of ['Backspace', 'Backspace']) await keyboard.press(key)
    await keyboard.type('unt')
    await shows(
      () => schema(page),
      /CHECK\(price > \(0\) AND amount > 0\), UNIQUE\(code, amount\)$/,
    )
    assert.deepEqual(await axeFaults(page), [])

    await page.getByRole('button', { name: 'More options for total' }).focus()
    await keyboard.press('Enter')
    await page
      .getByRole('group', { name: 'total', exact: true })
      .getByLabel('Computed from')
      .fill('price * amount')
    await shows(() => schema(page), /total N\(8\.2\) COMPUTED 'price \* amount',/)
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Change datatable' }).click()
    const stored = async (): Promise<string> =>
      (await server.call('GET', `/api/v2/datatable/${table.id}`)).body.table_schema
    await shows(stored, /COMPUTED 'price \* amount', CHECK\(price > \(0\) AND amount > 0\), UNIQUE/)
    const json = { price: '2.50', amount: 2, code: 'a' }
    const { body, status } = await server.call('POST', table.url, { json })
    assert.equal(status, 201, JSON.stringify(body))
    const again = await server.call('POST', table.url, { json: { ...json, price: '-1' } })
    assert.equal(again.status, 422)

    await page.getByRole('button', { name: /^Remove CHECK/ }).click()
    await shows(() => schema(page), /COMPUTED 'price \* amount', UNIQUE\(code, amount\)$/)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('follow a new name of a column that is typed letter by letter', async () => {
    const own = await makeTable(
      server,
      "price I, amount I, total I COMPUTED 'price * amount', CHECK(price > 0), UNIQUE(price, amount)",
    )
    await server.call('POST', own.url, { json: { price: 2, amount: 3 } })
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    const { page } = visited
    await page.goto(`${server.url}/admin/data/${own.id}/schema`)
    const name = page.getByRole('group', { name: 'price', exact: true }).getByLabel('Name')
    await name.focus()
    await page.keyboard.press('ControlOrMeta+a')
    // On the way the name is a word of the language.
    await page.keyboard.type('in')
    await shows(() => schema(page), /CHECK\("in" > 0\)/)
    await page.keyboard.type('come')
    await shows(
      () => schema(page),
      /income I, .*'income \* amount', CHECK\(income > 0\), UNIQUE\(income, amount\)$/s,
    )
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page.getByRole('button', { name: 'Change datatable' }).click()
    const stored = async () => (await server.call('GET', `${own.url}/1?fields=*`)).text
    await shows(stored, /"income":2.*"total":6/)
    assert.deepEqual(visited.faults, [])
    await visited.context.close()
  })

  test('fit a narrow screen', async () => {
    const { page, faults, context } = await see({ width: 360, height: 800 })
    await page.getByRole('button', { name: 'Add condition' }).click()
    assert.deepEqual(await axeFaults(page), [])
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
