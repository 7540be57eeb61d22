// Pages of a site that are put together from fragments, menus and layouts.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

const HOST = 'www.example.org'
const SITE = { origin: `https://${HOST}`, folder: '/Main/website' }

let server: TestServer
let root: number
let parts: number
before(async () => {
  server = await startTestServer({ config: { sites: [SITE], trashDays: 0 } })
  root = (await makeFolder(server, { name: 'website', public: true })).asset_category_id
  parts = (await makeFolder(server, { name: 'parts', parent_category_id: root })).asset_category_id
})
after(() => server.close())

function visit(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return server.call(method, path, { key: null, headers: { host: HOST, ...headers } })
}

const textOf = async (path: string): Promise<string> => (await visit(path)).text

function make(folder: number, name: string, pageContent: string, more = {}): Promise<any> {
  const type = name.split('.').at(-1)
  return makeFile(server, { name, type, parent_category_id: folder, pageContent, ...more })
}

const publish = (folder: number, name: string, text: string, more = {}): Promise<any> =>
  make(folder, name, text, { fileState: 'publish', ...more })

const idOf = (file: any): number => file.asset_file_id

const change = (file: any, json: object): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_file/${idOf(file)}`, { json })

const changeFolder = (id: number, json: object, key?: string): Promise<Answer> =>
  server.call('POST', `/api/v2/asset_category/${id}`, { json, ...(key && { key }) })

async function makeGroup(ids: readonly number[], parent = root): Promise<any> {
  const json = { name: `menu ${Math.random()}`, parent_category_id: parent, asset_file_ids: ids }
  return (await server.call('POST', '/api/v2/file_group', { json })).body
}

const missing = (id: number): string => `<!-- include ${id}: no page of this site -->`

describe('a fragment', () => {
  test('is inserted in HTML and STML, and its publish makes the pages new at once', async () => {
    const fragment = await publish(parts, 'footer.html', '<footer>one</footer>')
    const id = idOf(fragment)
    await publish(root, 'page.html', `<p>page</p>[include id=${id}]`)
    await publish(root, 'other.stml', `<div id="dd.0"><p>[include id="${id}"]</p></div>`)
    assert.equal(await textOf('/page'), '<p>page</p><footer>one</footer>')
    assert.match(await textOf('/other'), /<div id="dd.0"><p><footer>one<\/footer><\/p><\/div>/)
    const first = await visit('/page')
    const etag = String(first.headers.etag)
    assert.equal(first.headers['last-modified'], undefined)
    assert.equal(first.headers['cache-control'], 'public, no-cache')
    assert.equal(first.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal((await visit('/page', { 'if-none-match': etag })).status, 304)

    await change(fragment, { pageContent: '<footer>two</footer>' })
    assert.equal((await visit('/page', { 'if-none-match': etag })).status, 304)
    await change(fragment, { fileState: 'publish' })
    const second = await visit('/page', { 'if-none-match': etag })
    assert.deepEqual([second.status, second.text], [200, '<p>page</p><footer>two</footer>'])
    await server.call('POST', `/api/v2/asset_file/${id}/unpublish`)
    assert.equal(await textOf('/page'), `<p>page</p>${missing(id)}`)
    await server.call('POST', `/api/v2/asset_file/${id}/publish`)
    await changeFolder(parts, { public: false })
    assert.equal(await textOf('/page'), `<p>page</p>${missing(id)}`)
    await changeFolder(parts, { public: null })
    assert.match(await textOf('/page'), /two/)
  })

  test('shows of a document what is in its body, and of STML the rendered page without the id', async () => {
    const document = await publish(
      parts,
      'd.html',
      '<!doctype html><title>x</title><body><b>d</b></body>',
    )
    const code = await publish(parts, 's.stml', '<div class="s" id="dd.0">{{x}}</div>')
    await publish(root, 'both.html', `[include id=${idOf(document)}][include id=${idOf(code)}]`)
    assert.equal(await textOf('/both'), '<b>d</b><div class="s"><!-- field x --></div>')
  })

  test('nests 8 deep, and neither cycles, missing files, drafts nor other files are faults', async () => {
    const files: any[] = []
    for (let depth = 10; depth > 0; depth -= 1) {
      const below = files.at(-1)
      const text = below === undefined ? '0' : `${depth}[include id=${idOf(below)}]`
      files.push(await publish(parts, `deep-${depth}.html`, text))
    }
    assert.match(
      await textOf('/parts/deep-1.html'),
      /^123456789<!-- include \d+: nested too deep -->$/,
    )

    const one = await publish(parts, 'one.html', 'x')
    const two = await publish(parts, 'two.html', `[include id=${idOf(one)}]`)
    await change(one, { pageContent: `[include id=${idOf(two)}]`, fileState: 'publish' })
    const itself = `<!-- include ${idOf(one)}: the file includes itself -->`
    assert.equal(await textOf('/parts/one.html'), itself)

    const draft = await make(parts, 'draft.html', 'secret')
    const hidden = await publish(1, 'hidden.html', 'secret')
    const picture = await publish(parts, 'a.txt', 'text')
    const ids = [idOf(draft), idOf(hidden), idOf(picture), 999_999]
    await publish(root, 'missing.html', ids.map((id) => `[include id=${id}]`).join(''))
    assert.equal(await textOf('/missing'), ids.map(missing).join(''))
  })

  test('is inserted at most 200 times, and adds at most 4 MiB', async () => {
    const small = await publish(parts, 'small.html', 'x')
    await publish(root, 'many.html', `[include id=${idOf(small)}]`.repeat(10_000))
    const many = await textOf('/many')
    assert.ok(many.startsWith('x'.repeat(200)))
    assert.equal(many.split('too many includes').length - 1, 800)
    const fan = await publish(parts, 'fan.html', `[include id=${idOf(small)}]`.repeat(100))
    await publish(root, 'fans.html', `[include id=${idOf(fan)}]`.repeat(100))
    assert.equal((await textOf('/fans')).split('x').length - 1, 198)
    const large = await publish(parts, 'large.html', 'y'.repeat(3_000_000))
    await publish(root, 'twice.html', `[include id=${idOf(large)}]`.repeat(2))
    const twice = await textOf('/twice')
    assert.equal(
      twice.length - 3_000_000,
      `<!-- include ${idOf(large)}: the page is too large -->`.length,
    )
  })

  test('cannot swallow the page around it', async () => {
    const open = await publish(parts, 'open.html', '<main><!-- open')
    const script = await publish(parts, 'script.html', '<script>let a')
    const tag = await publish(parts, 'tag.html', '<b>x</b><a href="')
    const include = [open, script, tag].map((file) => `[include id=${idOf(file)}]`).join('')
    await publish(root, 'around.html', `${include}</main>`)
    assert.equal(await textOf('/around'), '<main><!-- open--><script>let a</script><b>x</b></main>')
  })
})

test('an HTML page without shortcodes is sent as stored, with its own validators and compressed form', async () => {
  const text = '<!doctype html><title>t</title><p>[get_asset_file_url id=1] [menu]</p>'.padEnd(
    2_000,
  )
  const file = await publish(root, 'plain.html', text)
  for (let round = 0; round < 2; round += 1) {
    const { headers, text: sent } = await visit('/plain')
    assert.equal(sent, text)
    assert.equal(headers.etag, `"${file.sha256}"`)
  }
  await publish(root, 'large-plain.html', `[include id=${idOf(file)}]`.padEnd(5_000_000))
  assert.ok((await textOf('/large-plain')).startsWith('[include'))
  await publish(root, 'packed.html', `[include id=${idOf(file)}]`)
  const packed = await visit('/packed', { 'accept-encoding': 'gzip' })
  assert.ok(gunzipSync(packed.bytes).toString().startsWith('<p>[get_asset_file_url'))
  assert.equal(packed.headers.vary, 'Accept-Encoding')
})

describe('a menu', () => {
  test('lists the shown files of a group with their titles, and marks the page itself', async () => {
    const news = await makeFolder(server, { name: 'news', parent_category_id: root })
    const index = await publish(news.asset_category_id, 'index.html', 'news', {
      title: 'A <b> & "c"',
    })
    const about = await publish(root, `about's.html`, 'x')
    const draft = await make(root, 'later.html', 'x')
    const hidden = await publish(1, 'private.html', 'x')
    const group = await makeGroup([idOf(about), idOf(draft), idOf(index), idOf(hidden)])
    await change(about, {
      pageContent: `[menu group=${group.file_group_id}]`,
      fileState: 'publish',
    })
    await change(index, {
      pageContent: `[menu group=${group.file_group_id}]`,
      fileState: 'publish',
    })
    const item = (path: string, text: string, current = ''): string =>
      `<li><a href="${path}"${current}>${text}</a></li>`
    const [first, second] = ['about&#39;s.html', 'A &lt;b> &amp; &quot;c&quot;']
    const current = ' aria-current="page"'
    const page = await visit('/about%27s')
    assert.equal(
      page.text,
      `<ul>\n${item('/about%27s.html', first, current)}\n${item('/news/', second)}\n</ul>`,
    )
    assert.equal(
      await textOf('/news/'),
      `<ul>\n${item('/about%27s.html', first)}\n${item('/news/', second, current)}\n</ul>`,
    )

    const path = `/api/v2/file_group/${group.file_group_id}`
    const json = { asset_file_ids: [idOf(index), idOf(about)] }
    const stager = await server.makeKey({ name: 's', grants: 'view,create,modify' })
    assertProblem(await server.call('POST', path, { json, key: stager }), 'grant-missing')
    assert.equal(
      (await server.call('POST', path, { json: { title: 'x' }, key: stager })).status,
      200,
    )
    assert.equal((await server.call('POST', path, { json })).status, 200)
    const next = await visit('/about%27s', { 'if-none-match': String(page.headers.etag) })
    assert.equal(next.status, 200)
    assert.match(next.text, /^<ul>\n<li><a href="\/news\/">/)
  })

  test('of a group that is not in a public folder of the site is a comment', async () => {
    const file = await publish(root, 'listed.html', 'x')
    const group = (await makeGroup([idOf(file)], 1)).file_group_id
    await publish(root, 'menus.html', `[menu group=${group}][menu group=999]`)
    const comment = (id: number): string => `<!-- menu ${id}: no file group of this site -->`
    assert.equal(await textOf('/menus'), comment(group) + comment(999))
  })

  test('enters and leaves public folders only with the grant publish, also with its folder', async () => {
    const menus = (await makeFolder(server, { name: 'menus', parent_category_id: root }))
      .asset_category_id
    const group = (await makeGroup([], menus)).file_group_id
    const json = { parent_category_id: 1 }
    const key = await server.makeKey({ name: 'mover', grants: 'view,create,modify' })
    const path = `/api/v2/file_group/${group}`
    assertProblem(await server.call('POST', path, { json, key }), 'grant-missing')
    const { detail } = assertProblem(await changeFolder(menus, json, key), 'grant-missing')
    assert.match(detail, /pages list the groups of public folders as menus/)
    // A new name changes no menu.
    assert.equal((await changeFolder(menus, { name: 'lists' }, key)).status, 200)
    assert.equal((await changeFolder(menus, json)).status, 200)
    assertProblem(await changeFolder(menus, { parent_category_id: root }, key), 'grant-missing')
    assert.equal((await server.call('POST', path, { json, key })).status, 200)
    assert.equal((await changeFolder(menus, { parent_category_id: root }, key)).status, 200)
  })
})
