// Layouts of pages: inherited from folders, chosen by a version, and staged in previews.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { linkRow } from '../../../lib/schema/link-index.ts'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { oneServer } from '../../helpers/engine.ts'
import { eventually } from '../../helpers/raw.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { tamper } from '../../helpers/site.ts'

const HOST = 'www.example.org'
const SITE = { origin: `https://${HOST}`, folder: '/Main/website' }

let server: TestServer
let root: number
let docs: number
let layout: any
before(async () => {
  server = await startTestServer({ config: { sites: [SITE], trashDays: 0 } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  docs = (await makeFolder(server, { name: 'docs', parent_category_id: root })).asset_category_id
  layout = await publish(
    root,
    'layout.html',
    '<!doctype html>\n<head>\n<link rel="stylesheet" href="/a.css">\n<title>[page_title] – Site</title>\n</head>\n<body class="site"><main>[page_content]</main></body>',
  )
})
after(() => server.close())

const textOf = async (path: string, headers = {}): Promise<string> =>
  (await server.call('GET', path, { key: null, headers: { host: HOST, ...headers } })).text

function publish(folder: number, name: string, pageContent: string, more = {}): Promise<any> {
  return makeFile(server, {
    name,
    type: name.split('.').at(-1),
    parent_category_id: folder,
    pageContent,
    fileState: 'publish',
    ...more,
  })
}

const idOf = (file: any): number => file.asset_file_id

const change = (file: any, json: object, key?: string): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_file/${idOf(file)}`, { json, ...(key && { key }) })

const changeFolder = (id: number, json: object, key?: string): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_category/${id}`, { json, ...(key && { key }) })

const around = (title: string, inside: string, head = ''): string =>
  `<!doctype html>\n<head>\n<link rel="stylesheet" href="/a.css">\n<title>${title} – Site</title>\n${head}</head>\n<body class="site"><main>${inside}</main></body>`

describe('a layout', () => {
  test('of a folder applies to all pages below, and a page can have another one or none', async () => {
    const document =
      '<!DOCTYPE html><html><head><meta charset="utf-8"><title>One &amp; two</title>\n<link rel="stylesheet" href="/a.css">\n<script src="/b.js"></script></head><body><p>one</p></body></html>'
    const one = await publish(root, 'one.html', document)
    await publish(docs, 'two.stml', '<div id="dd.0">two</div>', { title: 'Two' })
    await publish(docs, 'part.html', '<p>three</p>')
    await publish(docs, 'data.txt', 'text')
    assert.equal(await textOf('/one'), document)
    await changeFolder(root, { layout_file_id: idOf(layout) })
    assert.equal(
      await textOf('/one'),
      around('One &amp; two', '<p>one</p>', '<script src="/b.js"></script>\n'),
    )
    assert.equal(await textOf('/docs/two'), around('Two', '<div>two</div>'))
    assert.equal(await textOf('/docs/part'), around('part.html', '<p>three</p>'))
    assert.equal(await textOf('/docs/data.txt'), 'text')
    const itself = await textOf('/layout.html')
    assert.match(itself, /<title>layout.html – Site<\/title>[^]*<!-- shortcode page_content -->/)

    const other = await publish(
      root,
      'other.stml',
      '<div id="dd.0"><b>[page_title]</b>[page_content]</div>',
    )
    await change(one, { layout_file_id: idOf(other) })
    assert.match(await textOf('/one'), /class="site"/)
    await change(one, { fileState: 'publish' })
    const text = await textOf('/one')
    assert.match(text, /^<!DOCTYPE html>[^]*<title>One &amp; two<\/title>\n<link [^]*<script src/)
    assert.match(text, /<div id="dd.0"><b>One &amp; two<\/b><p>one<\/p><\/div>\n<\/body>/)
    await change(one, { layout_file_id: 0, fileState: 'publish' })
    assert.equal(await textOf('/one'), document)
    const restored = await server.call('POST', `/api/v2/asset_file/${idOf(one)}/versions/2/restore`)
    assert.equal(restored.body.layout_file_id, idOf(other))
    const copied = await server.call('POST', `/api/v2/asset_file/${idOf(one)}/copy`, { json: {} })
    assert.equal(copied.body.layout_file_id, idOf(other))
    await changeFolder(docs, { layout_file_id: 0 })
    assert.equal(await textOf('/docs/part'), '<p>three</p>')
    await changeFolder(docs, { layout_file_id: null })
    assert.equal(await textOf('/docs/part'), around('part.html', '<p>three</p>'))
  })

  test('counts only if the site shows it and it has a place for the page', async () => {
    const page = await publish(docs, 'page.html', '<p>page</p>')
    const [draft, hidden, plain] = [
      await publish(root, 'draft.html', '[page_content]', { fileState: 'stage' }),
      await publish(1, 'hidden.html', '[page_content]'),
      await publish(root, 'no-place.html', 'x'),
    ]
    for (const file of [draft, hidden, plain]) {
      await change(page, { layout_file_id: idOf(file), fileState: 'publish' })
      assert.equal(await textOf('/docs/page'), '<p>page</p>')
    }
    await change(plain, { pageContent: '<i>[page_content]</i>', fileState: 'publish' })
    assert.match(await textOf('/docs/page'), /<body>\n<i><p>page<\/p><\/i>\n<\/body>/)
    await server.call('DELETE', `/api/v2/asset_file/${idOf(plain)}`)
    assert.equal(await textOf('/docs/page'), '<p>page</p>')
    await change(page, { title: 'still saved' })
  })

  test('is refused if it is no page, or if the key does not see it or may not publish', async () => {
    const page = await publish(docs, 'refused.html', 'x')
    const picture = await publish(root, 'style.css', 'x')
    const hidden = await publish(1, 'private-layout.html', '[page_content]')
    const editor = await server.makeKey({
      name: 'editor',
      grants: 'view,create,modify',
      category: root,
    })
    for (const id of [idOf(picture), idOf(hidden), 999_999])
      assertProblem(await change(page, { layout_file_id: id }, editor), 'invalid-content')
    for (const id of [-1, 1.5, 'x'])
      assertProblem(await change(page, { layout_file_id: id }), 'invalid-content')
    assert.equal((await change(page, { layout_file_id: idOf(layout) }, editor)).status, 200)
    assertProblem(await changeFolder(docs, { layout_file_id: 0 }, editor), 'grant-missing')
  })

  test('in a preview is the staged one, with staged fragments', async () => {
    const fragment = await publish(docs, 'fragment.html', 'live')
    const own = await publish(docs, 'own.html', '<b>[page_content]</b>')
    const page = await publish(docs, 'staged.html', `[include id=${idOf(fragment)}]`)
    await change(fragment, { pageContent: '<a href="/x">staged</a>', fileState: 'stage' })
    await change(own, { pageContent: '<i>[page_content]</i>', fileState: 'stage' })
    await change(page, { layout_file_id: idOf(own), fileState: 'stage' })
    assert.equal(await textOf('/docs/staged'), around('staged.html', 'live'))
    const { body } = await server.call('POST', '/api/v2/preview', { json: {} })
    const path = new URL(body.url).pathname
    const shown = await textOf(`${path}docs/staged`)
    assert.ok(shown.includes(`<i><a href="${path}x">staged</a></i>`), shown)
    for (const file of [fragment, own, page]) await change(file, { fileState: 'publish' })
    assert.match(await textOf('/docs/staged'), /<i><a href="\/x">staged<\/a><\/i>/)
  })
})

describe('the pages of a menu', () => {
  const made = async (object: string, json: object, at = server): Promise<any> =>
    (await at.call('POST', `/api/v2/${object}`, { json })).body
  const usesOf = (group: any, query = '', key?: string): Promise<Answer> =>
    server.call('GET', `/api/v2/file_group/${group.file_group_id}/used_on${query}`, {
      ...(key !== undefined && { key }),
    })

  test('are listed as the pages of a file are', async () => {
    const place = (await makeFolder(server, { name: 'menus', parent_category_id: root }))
      .asset_category_id
    const hidden = await makeFolder(server, { name: 'hidden', public: false })
    const menu = await made('file_group', { name: 'top', parent_category_id: place })
    const shortcode = `[menu group=${menu.file_group_id}]`
    const header = await publish(place, 'header.html', `<header>${shortcode}</header>`)
    const frame = await publish(place, 'frame.html', `[include id=${idOf(header)}][page_content]`)
    const laidOut = await publish(place, 'a.html', 'x', { layout_file_id: idOf(frame) })
    const direct = await publish(place, 'b.stml', `<div id="dd.0">${shortcode}</div>`)
    const draft = await publish(place, 'c.html', shortcode, { fileState: 'stage' })
    const secret = await publish(hidden.asset_category_id, 'd.html', shortcode)
    await publish(place, 'e.html', `<!-- ${shortcode} -->`)

    const idsOf = ({ body }: Answer): readonly number[] => body.pages.map(idOf)
    const sorted = (files: readonly any[]) => files.map(idOf).toSorted((a, b) => a - b)
    const shown = await usesOf(menu, '?shown=true')
    assert.equal(shown.body.is_complete, true)
    assert.deepEqual(
      idsOf(shown).toSorted((a, b) => a - b),
      sorted([header, laidOut, direct, secret]),
    )
    const first = await usesOf(menu, '?length=2')
    assert.deepEqual(idsOf(first), [idOf(header), idOf(direct)])
    const next = await usesOf(menu, `?cursor=${encodeURIComponent(first.body.next)}`)
    assert.deepEqual(idsOf(next).slice(0, 2), [idOf(draft), idOf(secret)])
    const [{ in_live: isLive, in_staged: isStaged }] = next.body.pages
    assert.deepEqual([isLive, isStaged], [false, true])
    const viewer = await server.makeKey({ name: 'menus', grants: 'view', category: place })
    assert.deepEqual(idsOf(await usesOf(menu, '?length=2', viewer)), [idOf(header), idOf(direct)])
    assert.ok(!idsOf(await usesOf(menu, '?shown=true', viewer)).includes(idOf(secret)))
    const below = await server.makeKey({ name: 'own', grants: 'view', category: docs })
    assertProblem(await usesOf(menu, '', below), 'not-found')
  })

  test('lose their menu if it is gone or private, which the check of links reports', async () => {
    const menu = await made('file_group', { name: 'private', parent_category_id: 1 })
    const pageContent = `[menu group=${menu.file_group_id}] [menu group="9999"]`
    const json = { pageContent, type: 'html', parent_category_id: root }
    const { links } = await made('links/check', json)
    assert.deepEqual(
      links.map(({ address, reason, asset_file_id: id }: any) => [address, reason, id]),
      [
        [`file_group:${menu.file_group_id}`, 'private', null],
        ['file_group:9999', 'missing', null],
      ],
    )
  })

  test('are known of a site of an earlier version', oneServer('earlier'), async () => {
    const first = await startTestServer({ dataDir: newDataDirectory() })
    const menu = await made('file_group', { name: 'old' }, first)
    const page = await makeFile(first, { type: 'html', pageContent: '[menu group=1]' })
    await first.stop()
    await tamper(first.dataDir, (_, records) =>
      records.commit((unit) => {
        const row = unit.get(linkRow, idOf(page))?.value
        assert.ok(row !== undefined)
        const versions = row.versions.map((version) => ({ ...version, addresses: [] }))
        unit.put(linkRow, [idOf(page)], { ...row, versions, keys: [] })
        unit.put(linkRow, [0], { asset_file_id: 0, versions: [], keys: [] })
      }),
    )
    const second = await startTestServer({ dataDir: first.dataDir })
    const path = `/api/v2/file_group/${menu.file_group_id}/used_on`
    await eventually(async () => (await second.call('GET', path)).body.is_complete)
    assert.deepEqual((await second.call('GET', path)).body.pages.map(idOf), [idOf(page)])
    await second.close()
  })
})

test('the sitemap has no layouts, and no fragments to which nothing leads', async () => {
  const place = (await makeFolder(server, { name: 'parts', parent_category_id: root }))
    .asset_category_id
  const away = (
    await makeFolder(server, { name: 'away', public: false, parent_category_id: place })
  ).asset_category_id
  const layoutOf = (name: string): Promise<any> => publish(place, name, '[page_content]')
  const chosen = await layoutOf('chosen.html')
  const ofFolder = await layoutOf('of-folder.html')
  const ofHidden = await layoutOf('of-hidden.html')
  const noPlace = await publish(place, 'no-place.html', 'x')
  await changeFolder(away, { layout_file_id: idOf(ofHidden) })
  await makeFolder(server, {
    name: 'below',
    parent_category_id: place,
    layout_file_id: idOf(ofFolder),
  })
  const names = ['alone', 'named', 'linked', 'listed', 'drafted', 'hidden']
  const ids = new Map<string, number>()
  for (const name of names) ids.set(name, idOf(await publish(place, `${name}.html`, name)))
  const include = (name: string): string => `[include id=${ids.get(name)}]`
  const all = ['alone', 'named', 'linked', 'listed'].map(include).join('')
  await publish(place, 'page.html', `${all}<a href="/parts/named">x</a>`, {
    layout_file_id: idOf(chosen),
  })
  await publish(
    place,
    'other.stml',
    `<div id="dd.0">[get_asset_file_url id=${ids.get('linked')}]</div>`,
    {
      layout_file_id: idOf(noPlace),
    },
  )
  await publish(place, 'drafts.html', include('drafted'), { fileState: 'stage' })
  const covered = idOf(await publish(place, 'covered.html', 'covered'))
  const inCovered = {
    type: 'html',
    parent_category_id: place,
    pageContent: `[include id=${covered}]`,
  }
  const addDrafts = async (word: string): Promise<void> => {
    const json = Array.from({ length: 50 }, (_, at) => ({
      ...inCovered,
      name: `${word}-${at}.html`,
    }))
    assert.equal((await server.call('POST', '/api/v2/asset_file', { json })).status, 201)
  }
  await addDrafts('early')
  await addDrafts('before')
  await publish(place, 'covers.html', inCovered.pageContent)
  await addDrafts('after')
  await publish(away, 'hidden-page.html', include('hidden'))
  await server.call('POST', '/api/v2/file_group', {
    json: { name: 'menu', parent_category_id: place, asset_file_ids: [ids.get('listed')] },
  })

  const sitemap = await textOf('/sitemap.xml')
  const found = sitemap.matchAll(/\/parts\/([\w-]+)\./g)
  assert.deepEqual([...found].map(([, name]) => name).toSorted(), [
    'covers',
    'drafted',
    'hidden',
    'linked',
    'listed',
    'named',
    'no-place',
    'of-hidden',
    'other',
    'page',
  ])
  for (const path of ['/parts/alone', '/parts/chosen.html']) assert.notEqual(await textOf(path), '')
})

test('used_on with shown=true lists the live pages that a publish changes', async () => {
  const site = await makeFolder(server, { name: 'shown', public: true })
  const folder = site.asset_category_id
  const inner = await publish(folder, 'inner.html', 'inner')
  const outer = await publish(folder, 'outer.html', `[include id=${idOf(inner)}]`)
  const frame = await publish(folder, 'frame.html', `[include id=${idOf(outer)}][page_content]`)
  const below = (
    await makeFolder(server, {
      name: 'below',
      parent_category_id: folder,
      layout_file_id: idOf(frame),
    })
  ).asset_category_id
  const deep = (await makeFolder(server, { name: 'deep', parent_category_id: below }))
    .asset_category_id
  const none = (
    await makeFolder(server, { name: 'none', parent_category_id: below, layout_file_id: 0 })
  ).asset_category_id
  const first = await publish(below, 'first.html', 'x')
  const second = await publish(deep, 'second.stml', '<div id="dd.0">x</div>')
  const own = await publish(none, 'own.html', 'x', { layout_file_id: idOf(frame) })
  await publish(none, 'other.html', 'x')
  await publish(below, 'without.html', 'x', { layout_file_id: 0 })
  await publish(folder, 'link.stml', `<div id="dd.0">[get_asset_file_url id=${idOf(inner)}]</div>`)
  await makeFile(server, {
    name: 'draft.html',
    type: 'html',
    parent_category_id: folder,
    pageContent: `[include id=${idOf(inner)}]`,
  })

  const shownIn = async (file: any, query = '', key?: string): Promise<any> => {
    const path = `/api/v2/asset_file/${idOf(file)}/used_on?shown=true${query}`
    return (await server.call('GET', path, key === undefined ? {} : { key })).body
  }
  const idsOf = ({ pages }: any): readonly number[] =>
    pages.map(idOf).toSorted((left: number, right: number) => left - right)
  const laidOut = [first, second, own].map(idOf)
  assert.deepEqual(idsOf(await shownIn(frame)), laidOut)
  const all = await shownIn(inner)
  assert.deepEqual(idsOf(all), [idOf(outer), ...laidOut])
  assert.deepEqual([all.next, all.is_complete, all.file_groups], [null, true, []])
  const few = await shownIn(inner, '&length=2')
  assert.deepEqual([few.pages.length, few.is_complete], [2, false])
  assert.deepEqual(idsOf(await shownIn(first)), [])
  const key = await server.makeKey({ name: 'below', grants: 'view', category: below })
  assert.deepEqual((await shownIn(inner, '', key)).pages, undefined)
})
