// Sends values through the administration area in a real browser: CSV import and export take all
// values, the form and the grid some of each type. A form field may change the typed text, for
// example remove line breaks; the shown text then counts as the sent value.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { importEntries } from '../../../lib/client/import-entries.ts'
import { setPassword, visit } from '../../admin/area.ts'
import { PICKER, written } from '../../admin/written-file.ts'
import { openBrowser } from '../../helpers/browser.ts'
import { makeEntry, makeTable, type MadeModule } from '../../helpers/modules.ts'
import type { TestServer } from '../../helpers/server.ts'
import { KINDS, type Kind } from './literals.ts'
import {
  compare,
  csvOf,
  judge,
  readAll,
  type Rig,
  type Row,
  SCHEMA,
  type Stored,
  textOf,
} from './rows.ts'

/** A time zone without daylight saving time, so that each text means a single moment. */
const ZONE = { id: 'Asia/Kolkata', offset: '+05:30' }

export interface AreaOptions {
  /**
   * The number of values of each type that go through the form; a single value goes through the
   * grid.
   */
  readonly forms: number
  /** The accepted values of the interface, and of the import on the command line. */
  readonly created: Stored
  readonly imported: Stored
}

export async function throughArea(
  rig: Rig,
  { forms, created, imported }: AreaOptions,
): Promise<void> {
  const { server } = rig
  await setPassword(server, 'admin')
  const browser = await openBrowser()
  try {
    const page = await openPage(browser, server)
    const stored = await bringIn(page, rig)
    judge(rig, 'CSV in the area', stored)
    compare(rig, 'CSV in the area', { stored, expected: imported })
    await throughForms(page, rig, { forms, created })
    await throughGrid(page, rig)
  } finally {
    await browser.close()
  }
}

async function openPage(browser: Browser, { url }: TestServer): Promise<Page> {
  const options = { timezoneId: ZONE.id, viewport: { width: 2_400, height: 900 } }
  const { context, page } = await visit(browser, { url, user: 'admin', ...options })
  await context.addInitScript(PICKER)
  return page
}

async function openTable(page: Page, { url }: TestServer, { id }: MadeModule): Promise<void> {
  await page.goto(`${url}/admin/data/${id}`)
  await page.locator('[role=grid][aria-busy=false]').or(page.getByText('No entries yet')).waitFor()
}

/**
 * Imports a file with all values and exports it to a file that has the same content in another
 * table.
 */
async function bringIn(page: Page, rig: Rig): Promise<Stored> {
  const { server, directory, rows } = rig
  const table = await makeTable(server, SCHEMA)
  await openTable(page, server, table)
  const file = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(csvOf(rows)) }
  await page.setInputFiles('input[type=file]', file)
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText(/^(?:Some rows were not imported|Import finished)$/).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  const stored = await readAll(server, table.url)

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Export unchanged as CSV', exact: true }).click()
  await page.getByText(/ (?:entries were|entry was) exported\.$/).waitFor()
  const source = join(directory, 'area.csv')
  writeFileSync(source, (await written(page)).text)
  const { url: module } = await makeTable(server, SCHEMA)
  await importEntries({ url: server.url, key: server.key, module, source, asNew: true })
  const after = await readAll(server, module)
  compare(rig, 'CSV out of the area', { stored: after, expected: stored })
  return stored
}

/**
 * Each form has a value of each type. If values are refused, their fields are emptied and the form
 * is sent again.
 */
async function throughForms(
  page: Page,
  rig: Rig,
  { forms, created }: Pick<AreaOptions, 'forms' | 'created'>,
): Promise<void> {
  const { server, rows } = rig
  const table = await makeTable(server, SCHEMA)
  const sent: Row[] = []
  for (let form = 1; form <= forms; form += 1) {
    await page.goto(`${server.url}/admin/data/${table.id}/new`)
    await fieldOf(page, 'k').fill(String(form))
    const taken = new Map<string, Row>()
    for (const [at, kind] of KINDS.entries()) {
      const isWrong = at === form % KINDS.length
      const typed = rows.filter((row) => row.kind === kind && typedOf(row) !== undefined)
      const fit = typed.filter(({ k }) => created.has(k) !== isWrong)
      const row = fit[form % fit.length]
      if (row === undefined) continue
      const literal = await type(fieldOf(page, kind.column), row)
      // An empty field means no value in every column.
      if (literal !== '""') taken.set(kind.column, { k: form, kind, literal })
    }
    for (const refused of await sendForm(page)) taken.delete(refused)
    sent.push(...taken.values())
  }
  const stored = await readAll(server, table.url)
  assert.equal(stored.size, forms)
  judge({ ...rig, rows: sent }, 'form', stored)
  await changeInForm(page, rig, { table, stored })
}

const fieldOf = (page: Page, column: string): Locator => page.locator(`form [name="${column}"]`)

const WRONG = 'form [aria-invalid=true]'

/** Sends the form and returns the names of the refused columns. */
async function sendForm(page: Page): Promise<ReadonlySet<string>> {
  const refused = new Set<string>()
  const wrong = page.locator(WRONG)
  const made = page.getByText('The entry was created.')
  for (;;) {
    await page.getByRole('button', { name: 'Create entry' }).click()
    await made.or(wrong).first().waitFor()
    // A field loses its mark when it is emptied.
    const names = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('${WRONG}'), ({ name }) => name)`,
    )
    if (names.length === 0) return refused
    for (const name of names) {
      refused.add(name)
      await fieldOf(page, name).fill('')
    }
  }
}

interface Made {
  readonly table: MadeModule
  readonly stored: Stored
}

/** Changes a number of an entry in the form; all other values must stay. */
async function changeInForm(
  page: Page,
  { server, faults }: Rig,
  { table, stored }: Made,
): Promise<void> {
  const [[k, before] = []] = stored
  if (k === undefined || before === undefined) return
  await page.goto(`${server.url}/admin/data/${table.id}/${before['datatable_entry_id']}`)
  await fieldOf(page, 'k').fill(String(-k))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.').waitFor()
  const after = (await readAll(server, table.url)).get(-k)
  for (const { column } of KINDS) {
    const [one, other] = [before[column], after?.[column]].map((value) => JSON.stringify(value))
    if (one !== other) faults.push(`form: ${column} ${one} became ${other}, and was not changed`)
  }
}

async function throughGrid(page: Page, rig: Rig): Promise<void> {
  const { server, rows } = rig
  const table = await makeTable(server, SCHEMA)
  const sent: Row[] = []
  await makeEntry(server, table.url, { k: 1 })
  await openTable(page, server, table)
  // The grid shows no long texts.
  for (const kind of KINDS.filter((each) => each.type !== 'X')) {
    const row = rows.find((each) => each.kind === kind && (typedOf(each) ?? '') !== '')
    if (row === undefined) continue
    // The area begins labels with a capital letter.
    const name = new RegExp(`^${kind.column}$`, 'i')
    const heading = page.getByRole('columnheader', { name }).first()
    const at = await heading.getAttribute('aria-colindex')
    await page.locator(`[aria-rowindex="2"] > [aria-colindex="${at}"]`).dblclick()
    const literal = await type(page.locator('.cell-input'), row)
    if (literal === '""') continue
    await page.keyboard.press('Control+Enter')
    const saved = page.getByText(new RegExp(`^${kind.column} was changed\\.$`, 'i'))
    await saved.or(page.locator('.cell-fault')).first().waitFor()
    if (await saved.isVisible()) sent.push({ k: 1, kind, literal })
    else await page.keyboard.press('Escape')
  }
  judge({ ...rig, rows: sent }, 'grid', await readAll(server, table.url))
}

/** Types the value and returns the literal that the field then represents. */
async function type(field: Locator, row: Row): Promise<string> {
  const text = typedOf(row) ?? ''
  if (row.kind.type === 'L') await field.selectOption(text)
  else await field.fill(text)
  const shown = await field.inputValue()
  return JSON.stringify(row.kind.type === 'T' ? `${shown}${ZONE.offset}` : shown)
}

const TYPED: Readonly<Record<string, (text: string) => string | undefined>> = {
  L: (text) => (['true', 'false'].includes(text) ? text : undefined),
  D: (text) => (isDay(text) ? text : undefined),
  // In earlier years the time zone had another offset.
  T: (text) =>
    text.length > 10 && text.slice(0, 4) > '1950' && isDay(text.slice(0, 10))
      ? text.slice(0, 19)
      : undefined,
}

/** Undefined if no field of this type accepts the text. */
function typedOf(row: Row): string | undefined {
  const { type: code }: Kind = row.kind
  const text = textOf(row)
  return (TYPED[code] ?? ((any) => any))(text)
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
