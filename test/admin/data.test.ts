// Stories about whole datatables in a real browser: create, find, rename, delete, and use through the API.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import type { TestServer } from '../helpers/server.ts'
import { isTooWide, open, setPassword, shows, startSite, visit, type Visit } from './area.ts'
import { HOSTILE } from './people.ts'

const DATA = { path: '/data', heading: 'Data' }
const NEW = { path: '/data?new=datatable', heading: 'New datatable' }

const run = promisify(execFile)

describe('datatables', { skip: NO_BROWSER }, () => {
  let server: TestServer
  let browser: Browser
  before(async () => {
    server = await startSite()
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await server.close()
  })

  const visitAs = (user = 'admin', width = 1_280): Promise<Visit> =>
    visit(browser, { url: server.url, user, viewport: { width, height: 800 } })

  async function make(json: object) {
    const { body } = await server.call('POST', '/api/v2/datatable', { json })
    return body
  }

  async function tableNamed(name: string) {
    const qry = encodeURIComponent(JSON.stringify({ name }))
    return (await server.call('GET', `/api/v2/datatable?qry=${qry}`)).body.datatable[0]
  }

  const submit = (page: Page) => page.getByRole('button', { name: 'Create datatable' }).click()

  test('a datatable can be created by the keyboard alone without reading', async () => {
    const visited = await visitAs()
    const { page, faults, context } = visited
    await open(visited, server.url, DATA)
    await page.getByText('No data yet').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { level: 1, name: 'New datatable' }).waitFor()
    await page.getByRole('button', { name: 'Products' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').first().focus()
    await page.keyboard.type('Spring wares')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/admin\/data\/\d+$/)

    const { columns, title_field: title, table_schema: schema } = await tableNamed('Spring wares')
    assert.equal(title, 'name')
    assert.match(schema, /^name C\(200\) NOTNULL,\nsku C\(40\) UNIQUE,\nprice N\(10\.2\),/)
    assert.equal(columns.length, 6)
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a datatable can be created from a CSV file with guessed types', async () => {
    const visited = await visitAs()
    const { page, faults, context } = visited
    await open(visited, server.url, NEW)
    const buffer = Buffer.from(
      'Stadt;Einwohner;Fläche km²;Gegründet\nTromsø;77000;2480.37;1794-06-20\nOslo;709000;454.12;\n',
    )
    const file = { name: 'Städte.csv', mimeType: 'text/csv', buffer }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByText('The names and types are guessed').waitFor()
    await page.getByRole('cell', { name: 'Tromsø' }).waitFor()
    await shows(() => page.getByLabel('Name', { exact: true }).first().inputValue(), 'Städte')
    assert.equal(await tableNamed('Städte'), undefined)
    const people = page.getByRole('group', { name: 'Einwohner', exact: true })
    await shows(() => people.getByLabel('Type').inputValue(), 'I')
    await people.getByLabel('Type').selectOption('I8')
    await submit(page)
    await page.waitForURL(/\/admin\/data\/\d+$/)
    assert.equal(
      (await tableNamed('Städte')).table_schema,
      'Stadt C(255),\nEinwohner I8,\nFlache_km N(12.2),\nGegrundet D',
    )
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('other files than CSV are refused, and columns changed by hand are kept', async () => {
    const visited = await visitAs()
    const { page, context } = visited
    await open(visited, server.url, NEW)
    const buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1])
    const file = { name: 'a.csv', mimeType: 'text/csv', buffer }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByText('This is not a CSV file.').waitFor()
    await page.getByLabel('Schema as text').fill('mine I, owner C(9)')
    await page.getByRole('button', { name: 'News' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Name', { exact: true }).first().fill('Refused')
    await submit(page)
    await page.getByText(/column 2 "owner": the name is reserved/).waitFor()
    assert.equal(await tableNamed('Refused'), undefined)
    await page.reload()
    await page.getByLabel('Schema as text').waitFor()
    await shows(() => page.getByLabel('Schema as text').inputValue(), 'mine I, owner C(9)')
    await page.getByLabel('Schema as text').fill('mine I')
    await submit(page)
    await page.waitForURL(/\/admin\/data\/\d+$/)
    assert.equal((await tableNamed('Refused')).table_schema, 'mine I')
    await context.close()
  })

  test('a calendar can be created, and both kinds are found by a part of the name', async () => {
    await make({ name: 'Needle table', table_schema: 'a I' })
    const visited = await visitAs()
    const { page, context } = visited
    await open(visited, server.url, DATA)
    await page.getByRole('button', { name: 'New calendar' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Needle days')
    await page.getByLabel('Time zone').selectOption('Europe/Oslo')
    await page.getByRole('button', { name: 'Create calendar' }).click()
    await page.waitForURL(/\/admin\/calendars\/\d+$/)
    const { body } = await server.call('GET', '/api/v2/calendar')
    assert.deepEqual(
      body.calendar.map(({ name, time_zone }: Record<string, string>) => [name, time_zone]),
      [['Needle days', 'Europe/Oslo']],
    )
    await open(visited, server.url, DATA)
    await page.getByLabel('Search by name').fill('eedle')
    await page.getByRole('link', { name: 'Spring wares' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Needle table' }).waitFor()
    await page.getByRole('link', { name: 'Needle days' }).waitFor()
    await page.getByLabel('Search by name').fill('no such thing')
    await page.getByText('Nothing found').waitFor()
    await context.close()
  })

  test('settings are merged with changes of others, and a deletion shows what is lost', async () => {
    const { datatable_id: id, module_url: url } = await make({
      name: 'Old name',
      table_schema: 'a C(9), b I',
    })
    await server.call('POST', url, { json: [{ a: '1' }, { a: '2' }] })
    const visited = await visitAs()
    const { page, context } = visited
    await page.goto(`${server.url}/admin/data/${id}/schema`)
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('New name')
    await dialog.getByLabel('Title column').selectOption('a')
    const json = { description: 'by somebody else' }
    await server.call('PATCH', `/api/v2/datatable/${id}`, { json })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Somebody else changed').first().waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'New name' }).waitFor()
    const { body } = await server.call('GET', `/api/v2/datatable/${id}`)
    assert.deepEqual([body.title_field, body.description], ['a', 'by somebody else'])

    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('2 entries will also be deleted.').waitFor()
    await page.getByRole('button', { name: 'Delete datatable' }).click()
    await page.getByText('New name was deleted.').waitFor()
    assert.equal((await server.call('GET', `/api/v2/datatable/${id}`)).status, 404)
    await context.close()
  })

  test('the example lines for programs work with a new key', async () => {
    const made = await make({
      name: "Lines o'",
      title_field: 'name',
      table_schema: "name C(5) NOTNULL, kind ENUM('it''s','b'), at T NOTNULL, on_sale L",
    })
    const visited = await visitAs()
    const { page, context } = visited
    await page.goto(`${server.url}/admin/data/${made.datatable_id}/api`)
    const lineOf = (task: string): Promise<string> =>
      page.getByRole('group', { name: task, exact: true }).innerText()
    const create = await lineOf('Create an entry')
    const search = await lineOf('Search')
    await page.getByRole('tab', { name: 'JavaScript' }).click()
    const changeIt = await lineOf('Change an entry')
    const list = await lineOf('List')
    await page.getByRole('link', { name: 'Create a read-write key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = await page.getByRole('group', { name: 'Secret' }).innerText()
    const key = (await server.call('GET', '/api/v2/api_key')).body.api_key.at(-1)
    assert.deepEqual(
      [key.name, key.grants, key.asset_category_id],
      ["Lines o'", ['view', 'create', 'modify', 'delete'], made.parent_category_id],
    )

    const shell = (line: string) => run('bash', ['-c', line.replace('KEY', secret)])
    const node = (lines: string) =>
      run('node', ['--input-type=module', '-e', lines.replace('KEY', secret)])
    assert.match((await shell(create)).stdout, /"kind":"it.s"/)
    assert.match((await shell(search)).stdout, /"total":1/)
    assert.match((await node(changeIt)).stdout, /Chang/)
    assert.match((await node(list)).stdout, /Chang/)
    await context.close()
  })

  test('a hostile and very long name runs no code and breaks no layout', async () => {
    const made = await make({ name: HOSTILE, table_schema: 'a C(9)' })
    const paths = ['', `/${made.datatable_id}/schema`, `/${made.datatable_id}/api`]
    for (const width of [360, 1_280]) {
      const { page, faults, context } = await visitAs('admin', width)
      for (const path of paths) {
        await page.goto(`${server.url}/admin/data${path}`)
        await page.getByText(HOSTILE).first().waitFor()
        assert.equal(await isTooWide(page), false, `${path} at ${width}`)
      }
      assert.deepEqual(faults, [])
      await context.close()
    }
  })

  test('a user who may only view sees the data and no controls for changes', async () => {
    await server.call('POST', '/api/v2/user', { json: { name: 'vera', role: 'viewer' } })
    await setPassword(server, 'vera')
    const { datatable_id: id } = await make({ name: 'For all', table_schema: 'a I' })
    const visited = await visitAs('vera')
    const { page, context } = visited
    await open(visited, server.url, DATA)
    await page.getByRole('link', { name: 'For all' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New datatable' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'New calendar' }).count(), 0)
    await page.goto(`${server.url}/admin/data/${id}/api`)
    await page.getByRole('heading', { name: 'Examples' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Actions', exact: true }).count(), 0)
    await context.close()
  })
})
