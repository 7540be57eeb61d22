// The public parts of a site for the observer without a key, and what they hide from everybody:
//
//   Main
//     open                public: live files, drafts, staged versions
//       part              public by its parent
//       shut              not public: live files with the names and content of one site
//       between           not public, but its name is a part of the path of the folder below
//         again           public
//   Table, Dates          public, with a filter, and columns that are not public
//
// Both sites make the same visible records in the same order. Records that are hidden come last if
// their number differs, because identifiers are sequential.

import type { Step } from './differences.ts'
import { makeOpenLinks, type OpenLinks } from './reference-reads.ts'

export interface OpenParts {
  readonly folders: Readonly<Record<OpenFolder, number>>
  readonly fileIds: readonly number[]
  readonly table: string
  readonly calendar: string
  readonly links: OpenLinks
}

type OpenFolder = 'open' | 'part' | 'shut' | 'between' | 'again'

/** The host that shows the live files below the folder by their paths (--site-origin). */
export const SITE = { origin: 'https://open.test', folder: '/Main/open' }

/** Each hides the same entries: rows that match are approved, rows that do not match are not. */
const FILTERS = [
  { approved: true },
  { price: { $gte: '10.00' } },
  { $not: { approved: false } },
  { $or: [{ approved: true }, { price: { $gte: '5000.00' } }] },
  { title: { $regex: '^[A-Z]' }, approved: true },
]
const FEW = 3
const MANY = [40, 1_900] as const

export async function hidePublic(step: Step, isLarge: boolean): Promise<OpenParts> {
  const folders = await makeFolders(step)
  const live = await makeFiles(step, folders)
  const drafts = await makeDrafts(step, folders)
  const moved = await moveFiles(step, folders)
  await makeLinks(step, folders, [...live, ...drafts, ...moved])
  await makeComposed(step, folders, [...live, ...drafts, ...moved])
  const table = await makeTable(step, isLarge)
  const calendar = await makeCalendar(step)
  const fileIds = [...live, ...drafts, ...moved]
  const targets = { tableId: idIn(table), calendarId: idIn(calendar), fileIds }
  const links = await makeOpenLinks(step, targets)
  await hideMore(step, folders)
  return { folders, fileIds, table, calendar, links }
}

function idIn(address: string): number {
  return Number(/\d+(?=\/[^/]+$)/.exec(address)?.[0])
}

async function makeFolders({ site, word }: Step): Promise<OpenParts['folders']> {
  const make = async (json: object): Promise<number> =>
    (await site.admin('POST', '/api/v2/asset_category', { json })).asset_category_id
  const open = await make({ name: 'open', public: true, parent_category_id: 1 })
  const part = await make({ name: 'part', parent_category_id: open })
  const name = word('name of a folder that is not public')
  const shut = await make({ name, title: name, public: false, parent_category_id: open })
  const between = await make({ name: 'between', public: false, parent_category_id: open })
  const again = await make({ name: 'again', public: true, parent_category_id: between })
  return { open, part, shut, between, again }
}

type Files = ReturnType<typeof openFiles>

function openFiles({ site }: Step) {
  const path = '/api/v2/asset_file'
  return {
    async make(name: string, folderId: number, json: object = {}): Promise<number> {
      const file = { name, type: 'html', parent_category_id: folderId, pageContent: name, ...json }
      return (await site.admin('POST', path, { json: file })).asset_file_id
    },
    change: (id: number, json: object) => site.admin('POST', `${path}/${id}`, { json }),
    act: (id: number, action: string) => site.admin('POST', `${path}/${id}/${action}`),
  }
}

const LIVE = { fileState: 'publish' }

/** Live files whose drafts, staged versions and titles are hidden. */
async function makeFiles(step: Step, folders: OpenParts['folders']): Promise<readonly number[]> {
  const { word, vary } = step
  const files: Files = openFiles(step)
  const page = await files.make('page.html', folders.open, LIVE)
  await files.change(page, {
    name: `${word('name of a draft')}.html`,
    title: word('title of a draft'),
    pageContent: vary('content of a draft', 'short', 'This is a longer draft.'),
  })
  const staged = await files.make('staged.html', folders.open, LIVE)
  await files.change(staged, {
    name: `${word('name of a staged version')}.html`,
    pageContent: vary('content of a staged version', 'first', 'the second'),
    fileState: 'stage',
  })
  await files.change(staged, { name: `${word('name of a draft after the staged version')}.html` })
  const renamed = await files.make('old.html', folders.part, LIVE)
  await files.change(renamed, { name: 'new.html', ...LIVE })
  const large = vary('content of a draft of a large file', 'x', 'y'.repeat(9_000))
  const long = await files.make('long.html', folders.again, {
    pageContent: '<p>long</p>'.repeat(900),
    ...LIVE,
  })
  await files.change(long, { pageContent: large })
  const private_ = await files.make(`${word('name of a private file')}.html`, folders.shut, LIVE)
  await files.make('index.html', folders.open, LIVE)
  await files.make(`${word('name of a draft of an index')}.html`, folders.part)
  await files.make('404.html', folders.shut, LIVE)
  return [page, staged, renamed, long, private_]
}

/** Files that were never live, or are not any more. */
async function makeDrafts(step: Step, { open }: OpenParts['folders']): Promise<readonly number[]> {
  const { word, vary } = step
  const files = openFiles(step)
  const draft = await files.make(`${word('name of a new file')}.html`, open, {
    pageContent: vary('content of a new file', 'a', 'bb'),
    ...vary('state of a new file', {}, { fileState: 'stage' }),
  })
  const gone = await files.make(`${word('name of an unpublished file')}.html`, open, LIVE)
  await files.act(gone, 'unpublish')
  const blocked = await files.make('blocked.html', open, LIVE)
  await files.change(blocked, {
    name: `${word('second name of an unpublished file')}.html`,
    ...LIVE,
  })
  await files.act(blocked, 'unpublish')
  return [draft, gone, blocked]
}

/** Files that moved into a public folder or out of one while they were live. */
async function moveFiles(step: Step, folders: OpenParts['folders']): Promise<readonly number[]> {
  const { word } = step
  const files = openFiles(step)
  const came = await files.make(
    `${word('former name in a private folder')}.html`,
    folders.shut,
    LIVE,
  )
  await files.change(came, { name: 'came.html', pageContent: 'came', ...LIVE })
  await files.change(came, { parent_category_id: folders.open })
  const left = await files.make('left.html', folders.open, LIVE)
  await files.change(left, { parent_category_id: folders.shut })
  await files.change(left, {
    name: `${word('name after a move to a private folder')}.html`,
    ...LIVE,
  })
  return [came, left]
}

/** A page that links to all files, most of which the site does not show. */
async function makeLinks(
  step: Step,
  { open }: OpenParts['folders'],
  ids: readonly number[],
): Promise<void> {
  const links = ids.map((id) => `<a href="[get_asset_file_url id=${id}]">x</a>`).join('')
  const pageContent = `<div id="dd.0">${links}</div>`
  await openFiles(step).make('links.stml', open, { type: 'stml', pageContent, ...LIVE })
}

/**
 * Pages with fragments, menus and layouts, most of which the site does not show: hidden files must not differ from missing
 * files, and a hidden layout not from none.
 */
async function makeComposed(
  step: Step,
  { open, part, shut, between }: OpenParts['folders'],
  ids: readonly number[],
): Promise<void> {
  const { site, word, vary } = step
  const files = openFiles(step)
  const group = async (parent: number, asset_file_ids: readonly number[]): Promise<number> => {
    const json = { name: word('name of a group'), parent_category_id: parent, asset_file_ids }
    return (await site.admin('POST', '/api/v2/file_group', { json })).file_group_id
  }
  const shown = await group(open, ids)
  const hidden = await group(shut, vary('files of a hidden group', ids, []))
  const secret = vary('text of a hidden fragment', 'a', 'A longer fragment [page_content]')
  const fragment = await files.make('fragment.html', shut, { pageContent: secret, ...LIVE })
  const frame = await files.make('frame.html', part, {
    pageContent: '<b>[page_content]</b>',
    ...LIVE,
  })
  await files.change(frame, { pageContent: `<i>${word('draft of a layout')}[page_content]</i>` })
  const pageContent = [
    ...[...ids, fragment, frame].map((id) => `[include id=${id}]`),
    `[menu group=${shown}][menu group=${hidden}]`,
  ].join('')
  await files.make('composed.html', open, { pageContent, ...LIVE })
  await files.make('laid-out.html', open, { pageContent, layout_file_id: frame, ...LIVE })
  const alone = await files.make('alone.html', open, { layout_file_id: fragment, ...LIVE })
  await files.change(alone, { layout_file_id: vary('layout of a draft', frame, 0) })
  const folder = { layout_file_id: vary('layout of a hidden folder', frame, 0) }
  for (const id of [shut, between])
    await site.admin('POST', `/api/v2/asset_category/${id}`, { json: folder })
}

async function makeTable(step: Step, isLarge: boolean): Promise<string> {
  const { site, vary, word, random } = step
  const column = vary('name of a column', 'inner', 'outer')
  const public_filter = random.pick(FILTERS)
  const made = await site.admin('POST', '/api/v2/datatable', {
    json: {
      name: 'Open table',
      table_schema: `title C(40), price N(8.2), approved L, ${column} C(40), notes X`,
      public: true,
      public_columns: ['title', 'price'],
      public_filter,
    },
  })
  const path: string = made.module_url
  const hidden = (name: string): object => ({
    [column]: word(`${name} in a column`),
    notes: vary(`${name} in a long column`, 'none', 'N'.repeat(300)),
  })
  const shown = (at: number): object => ({
    title: `${'ABCD'[at % 4]}${at % 3}`,
    price: `${10 + (at % 4)}.50`,
    approved: true,
    ...hidden(`value ${at}`),
  })
  const closed = (name: string): object => ({
    title: word(`title of ${name}`),
    price: vary(`price of ${name}`, '1.25', '2.75'),
    approved: false,
    ...hidden(name),
  })
  const add = (json: readonly object[]) => site.admin('POST', path, { json })
  await add([shown(0), closed('a hidden row'), shown(1), shown(2), closed('a second hidden row')])
  await add(Array.from({ length: 8 }, (_, at) => shown(at + 3)))
  const [few, many] = isLarge ? MANY : [0, FEW]
  const count = vary('number of hidden rows', few, many)
  const extra = closed('further hidden rows')
  for (let left = count; left > 0; left -= 500)
    await add(Array.from({ length: Math.min(left, 500) }, () => extra))
  if (vary('a removed hidden row', false, true)) await site.admin('DELETE', `${path}/2`)
  // A change of a hidden column changes the date and the ETag of a visible row.
  await site.admin('POST', `${path}/1`, { json: hidden('a changed value') })
  return path
}

async function makeCalendar(step: Step): Promise<string> {
  const { site, vary, word } = step
  const made = await site.admin('POST', '/api/v2/calendar', {
    json: {
      name: 'Open dates',
      time_zone: 'Europe/Berlin',
      table_schema: 'room C(40), kind C(9)',
      public: true,
      public_columns: ['room'],
      public_filter: { kind: 'open' },
    },
  })
  const path: string = made.module_url
  const event = (event_title: string, json: object): object => ({ event_title, ...json })
  const hidden = (name: string): object => ({
    location: word(`place of ${name}`),
    description: vary(`description of ${name}`, 'short', 'A longer description'),
  })
  const shown = (at: number, json: object): object =>
    event(`Event ${at}`, {
      start_time: `2026-03-0${at}T09:00:00Z`,
      room: `Room ${at % 2}`,
      kind: 'open',
      ...hidden(`event ${at}`),
      ...json,
    })
  const closed = (name: string): object =>
    event(word(`title of ${name}`), {
      start_time: vary(`time of ${name}`, '2026-03-02T10:00:00Z', '2026-03-04T11:00:00Z'),
      rrule: vary(`rule of ${name}`, 'FREQ=DAILY;COUNT=5', 'FREQ=WEEKLY'),
      kind: vary(`kind of ${name}`, 'staff', null),
      ...hidden(name),
    })
  await site.admin('POST', path, {
    json: [
      shown(1, { rrule: 'FREQ=DAILY;COUNT=4' }),
      closed('a hidden event'),
      shown(2, { all_day: true, start_time: '2026-03-02' }),
      shown(3, {}),
    ],
  })
  const count = vary('number of hidden events', 1, 4)
  const extra = closed('further hidden events')
  await site.admin('POST', path, { json: Array.from({ length: count }, () => extra) })
  return path
}

/** Hidden records whose number differs. Nobody creates records, so their identifiers do not count. */
async function hideMore(step: Step, { open, shut }: OpenParts['folders']): Promise<void> {
  const { site, vary, word } = step
  const files = openFiles(step)
  const count = vary('number of private files', 1, 3)
  for (let at = 0; at < count; at += 1) await files.make(`private-${at}.html`, shut, LIVE)
  const drafts = vary('number of drafts', 2, 0)
  for (let at = 0; at < drafts; at += 1) await files.make(`draft-${at}.html`, open)
  const tables = vary('number of private tables', 0, 2)
  for (let at = 0; at < tables; at += 1) {
    const json = { name: `Private ${at}`, table_schema: 'a I', parent_category_id: open }
    await site.admin('POST', '/api/v2/datatable', { json })
  }
  const calendar = { name: word('name of a private calendar'), parent_category_id: open }
  await site.admin('POST', '/api/v2/calendar', { json: calendar })
  if (vary('a folder in a private folder', false, true)) {
    const json = { name: 'deeper', parent_category_id: shut }
    await site.admin('POST', '/api/v2/asset_category', { json })
  }
}
