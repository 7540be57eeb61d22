// The map of a column of points, and filters of points and JSON.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { NO_BROWSER, openBrowser } from '../helpers/browser.ts'
import { makeEntry, makeTable } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'
import { axeFaults, isTooWide, shows, startSite, visit, type Visit } from './area.ts'

describe('columns of points and JSON', { skip: NO_BROWSER }, () => {
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

  async function see(path: string): Promise<Visit> {
    const visited = await visit(browser, { url: server.url, user: 'admin' })
    await visited.page.goto(`${server.url}/admin/data/${path}`)
    return visited
  }

  test('a point can be moved on a map with the keyboard and the mouse', async () => {
    const table = await makeTable(server, 'name C(9), place POINT')
    await makeEntry(server, table.url, { name: 'x', place: [179.5, 52.25] })
    const { page, context, faults } = await see(`${table.id}/1`)
    const place = page.getByRole('group', { name: 'place' })
    const map = place.getByRole('application', { name: 'Map for place' })
    await map.focus()
    for (const [key, longitude, latitude] of [
      ['ArrowRight', '-179.5', '52.25'],
      ['ArrowDown', '-179.5', '51.25'],
      ['Shift+ArrowUp', '-179.5', '51.35'],
    ] as const) {
      await page.keyboard.press(key)
      await shows(() => place.getByLabel('Longitude').inputValue(), longitude)
      await shows(() => place.getByLabel('Latitude').inputValue(), latitude)
    }
    assert.deepEqual(await axeFaults(page), [])
    await page.setViewportSize({ width: 360, height: 800 })
    assert.equal(await isTooWide(page), false)
    const { width = 0, height = 0 } = (await map.boundingBox()) ?? {}
    await map.click({ position: { x: width / 4, y: height / 4 } })
    await shows(() => place.getByLabel('Longitude').inputValue(), /^-(?:8[789]|9[0-3])/)
    await shows(() => place.getByLabel('Latitude').inputValue(), /^4[2-8]/)
    await place.getByLabel('Longitude').fill('13.4')
    await place.getByLabel('Latitude').fill('52.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await server.call('GET', `${table.url}/1?fields=*`)
    assert.deepEqual(body.place, [13.4, 52.5])
    assert.deepEqual(faults, [])
    await context.close()
  })

  test('a filter finds places near a point or in a box, and values inside JSON', async () => {
    const table = await makeTable(server, 'name C(9), place POINT, data JSON')
    for (const [name, place, data] of [
      ['Berlin', [13.4, 52.5], { size: { km: 891 }, code: '5' }],
      ['Rome', [12.5, 41.9], { size: { km: 1285 }, code: 5 }],
    ] as const)
      await makeEntry(server, table.url, { name, place, data })
    const { page, context, faults } = await see(`${table.id}`)
    await page.getByRole('button', { name: 'Filter' }).click()
    const query = page.getByLabel('Query (qry)')
    const value = page.getByLabel('Value', { exact: true })
    await page.getByLabel('Column').selectOption('place')
    await page.getByLabel('Longitude, latitude', { exact: true }).fill('13, 52')
    await page.getByLabel('Kilometers').fill('100')
    await shows(() => query.inputValue(), '{"place":{"$near":{"point":[13,52],"km":100}}}')
    await page.getByText('1 entry found').waitFor()
    await page.getByLabel('Comparison').selectOption('within')
    await page.getByLabel('Southwest').fill('12,41')
    await page.getByLabel('Northeast').fill('13,42')
    await shows(() => query.inputValue(), '{"place":{"$within":[12,41,13,42]}}')
    await page.reload()
    await shows(() => page.getByLabel('Northeast').inputValue(), '13,42')
    await page.getByLabel('Column').selectOption('data')
    await page.getByLabel('Path in the JSON').fill('$.size.km')
    await page.getByLabel('Comparison').selectOption('gte')
    await value.fill('1000')
    await shows(() => query.inputValue(), '{"data":{"$.size.km":{"$gte":1000}}}')
    await page.getByText('1 entry found').waitFor()
    await page.getByLabel('Path in the JSON').fill('$.code')
    await page.getByLabel('Comparison').selectOption('is')
    await value.fill('"5"')
    await shows(() => query.inputValue(), '{"data":{"$.code":"5"}}')
    await page.reload()
    await shows(() => value.inputValue(), '"5"')
    assert.deepEqual(await axeFaults(page), [])
    await page.setViewportSize({ width: 360, height: 800 })
    assert.equal(await isTooWide(page), false)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
