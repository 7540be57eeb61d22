// Layouts of pages: inherited from folders, chosen by a version, and staged in previews.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

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
  await publish(away, 'hidden-page.html', include('hidden'))
  await server.call('POST', '/api/v2/file_group', {
    json: { name: 'menu', parent_category_id: place, asset_file_ids: [ids.get('listed')] },
  })

  const found = (await textOf('/sitemap.xml')).matchAll(/\/parts\/([\w-]+)\./g)
  assert.deepEqual([...found].map(([, name]) => name).toSorted(), [
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
  assert.deepEqual(idsOf(all), [idOf(outer), idOf(frame), ...laidOut])
  assert.deepEqual([all.next, all.is_complete, all.file_groups], [null, true, []])
  const few = await shownIn(inner, '&length=2')
  assert.deepEqual([few.pages.length, few.is_complete], [2, false])
  assert.deepEqual(idsOf(await shownIn(first)), [])
  const key = await server.makeKey({ name: 'below', grants: 'view', category: below })
  assert.deepEqual((await shownIn(inner, '', key)).pages, undefined)
})
