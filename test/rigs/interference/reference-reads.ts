// Requests that follow references: expand, conditions and orders, to what is visible and to what is hidden.

import type { Step } from './differences.ts'
import { addressOf, prefix, type Tools } from './tools.ts'

const EXPANDS = ['by', 'topic', 'also', 'file', 'also.by,topic', 'also.file', 'by.rank', 'rank']

/** Searches the visible entries through their references. */
export async function readLinks(tools: Tools): Promise<void> {
  const { random, chance, pair } = tools
  if (chance(5)) return checkAddresses(tools)
  const { posts, notesId } = pair.options.world.links
  const text = prefix(tools)
  const back = `datatable_${chance(8) ? 1 + random.below(40) : notesId}.post`
  const qry = random.pick<object>([
    { 'by.name': { $startsWith: text } },
    { 'by.name': null },
    { by: { $some: { rank: 1 } } },
    { 'topic.title': random.pick(['A', 'B', { $ne: 'A' }, null]) },
    { also: { $every: { 'topic.title': 'A' } } },
    { also: { $some: { 'by.name': text } } },
    { 'file.title': { $startsWith: text } },
    { 'file.name': random.pick(['first.html', 'hidden.txt', null]) },
    { 'file.state': random.pick(['draft', 'published', 'changed']) },
    { file: { $none: { title: { $gte: text } } } },
    { [back]: { $some: {} } },
    { [back]: { $none: { text: { $startsWith: text } } } },
  ])
  const query: Record<string, string> = {
    ...(chance(2) && { qry: JSON.stringify(qry) }),
    ...(chance(2) && { expand: random.pick(EXPANDS) }),
    ...(chance(3) && {
      orderStr: random.pick(['by.name', 'topic.title', 'title,by.rank', 'file.title']),
    }),
    ...(chance(3) && { length: '1' }),
    ...(chance(4) && { count: 'exact' }),
    ...(chance(9) && { explain: '1' }),
  }
  const { body } = await tools.ask({ method: 'GET', path: addressOf(posts, query) })
  const cursor = body?.page?.next
  if (typeof cursor === 'string')
    await tools.ask({ method: 'GET', path: addressOf(posts, { ...query, cursor }) })
  const single = `${posts}/${1 + random.below(5)}`
  await tools.ask({ method: 'GET', path: addressOf(single, { expand: random.pick(EXPANDS) }) })
}

/** A text with addresses of visible and hidden files. */
async function checkAddresses(tools: Tools): Promise<void> {
  const { random } = tools
  const names = ['first.html', 'hidden.txt', `${prefix(tools)}.html`, 'page.html', '']
  const folders = ['', '../', `${prefix(tools)}/`, '/', `/file/${tools.id('asset_file')}/`]
  const address = (): string => random.pick(folders) + random.pick(names)
  const pageContent = Array.from({ length: 5 }, () => `<a href="${address()}">`).join('')
  const shortcode = `[get_asset_file_url id=${tools.id('asset_file')}]`
  const json = {
    pageContent: pageContent + shortcode,
    type: 'html',
    parent_category_id: tools.id('asset_category'),
  }
  await tools.ask({ method: 'POST', path: '/api/v2/links/check', json })
  const files = { asset_file_ids: [tools.id('asset_file'), tools.id('asset_file')] }
  await tools.ask({ method: 'POST', path: '/api/v2/links/check_files', json: files })
}

/** The public table that refers to other public parts, and to what is hidden behind them. */
export interface OpenLinks {
  readonly url: string
  readonly id: number
}

interface Targets {
  readonly tableId: number
  readonly calendarId: number
  /** Live files, drafts and files that are not public. */
  readonly fileIds: readonly number[]
}

/** The entries 1, 3 and 4 of the public table are shown, and entry 5 is hidden. */
export async function makeOpenLinks(
  { site, word, vary }: Step,
  { tableId, calendarId, fileIds }: Targets,
): Promise<OpenLinks> {
  const people = await site.admin('POST', '/api/v2/datatable', {
    json: { name: 'Private people', table_schema: 'name C(40)' },
  })
  const names = [word('name of a private person'), word('name of a second private person')]
  await site.admin('POST', people.module_url, { json: names.map((name) => ({ name })) })
  const { module_url: url, datatable_id: id } = await site.admin('POST', '/api/v2/datatable', {
    json: {
      name: 'Open links',
      table_schema: `title C(40), row I REFERENCES datatable ${tableId}, rows I REFERENCES datatable ${tableId} MANY, event I REFERENCES calendar ${calendarId}, files I REFERENCES asset_file MANY, who I REFERENCES datatable ${people.datatable_id}, inside I REFERENCES datatable ${people.datatable_id}, also I REFERENCES SELF`,
      public: true,
      public_columns: ['title', 'row', 'rows', 'event', 'files', 'who', 'also'],
    },
  })
  const inside = vary('reference in a column that is not public', 1, 2)
  await site.admin('POST', url, {
    json: [
      { title: 'L1', row: 1, rows: [5, 3, 1], event: 1, who: 1, inside },
      { title: 'L2', row: 5, rows: [5], event: 2, who: 2, files: fileIds },
      { title: 'L3', row: 4, event: 3, files: fileIds.slice(0, 2) },
    ],
  })
  await site.admin('POST', url, {
    json: [
      { title: 'L4', also: 1 },
      { title: 'L5', also: 2 },
    ],
  })
  return { url, id }
}

const OPEN_EXPANDS = ['row', 'rows,files', 'event', 'who', 'also.rows', 'also.files,row', 'inside']

export async function readOpenLinks(tools: Tools): Promise<void> {
  const { random, chance, pair } = tools
  const { links, table } = pair.open ?? {}
  if (links === undefined || table === undefined) return
  const text = random.pick([prefix(tools), 'A', 'B', 'page.html'])
  const compared = random.pick<unknown>([{ $startsWith: text }, { $gte: text }, text, null])
  const qry = random.pick<object>([
    { 'row.title': compared },
    { 'row.price': { $gte: '11.00' } },
    { 'row.approved': true },
    { rows: { [random.pick(['$some', '$none', '$every'])]: { title: compared } } },
    { 'event.event_title': compared },
    { files: { $some: { [random.pick(['title', 'name', 'state', 'owner'])]: compared } } },
    { 'who.name': compared },
    { 'inside.name': compared },
    { also: { $some: { rows: { $every: { title: compared } } } } },
  ])
  const back = {
    [`datatable_${links.id}.${random.pick(['row', 'rows', 'inside'])}`]: { $some: {} },
  }
  const [path, condition] = chance(4) ? [table, back] : [links.url, qry]
  const query: Record<string, string> = {
    ...(chance(2) && { qry: JSON.stringify(condition) }),
    ...(path === links.url && chance(2) && { expand: random.pick(OPEN_EXPANDS) }),
    ...(chance(3) && {
      orderStr: random.pick(['row.title', 'row.price,title', 'who.name', 'title']),
    }),
    ...(chance(3) && { length: '1' }),
    ...(chance(4) && { count: 'exact' }),
    ...(chance(9) && { explain: '1' }),
  }
  const { body, headers } = await tools.ask({ method: 'GET', path: addressOf(path, query) })
  const { etag } = headers
  if (etag !== undefined && chance(2))
    await tools.ask({
      method: 'GET',
      path: addressOf(path, query),
      headers: { 'if-none-match': etag },
    })
  const cursor = body?.page?.next
  if (typeof cursor === 'string')
    await tools.ask({ method: 'GET', path: addressOf(path, { ...query, cursor }) })
  const single = `${links.url}/${1 + random.below(6)}`
  await tools.ask({ method: 'GET', path: addressOf(single, { expand: random.pick(OPEN_EXPANDS) }) })
}
