// Addresses in pages: which of them lead nowhere, and which pages lead to a file.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, makeFile, makeFolder } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const ORIGIN = 'https://www.example.org'
const CHECK = '/api/v2/links/check'

let server: TestServer
let root: number
let news: number
let secret: number

before(async () => {
  const sites = [{ origin: ORIGIN, folder: '/Main/website' }]
  server = await startTestServer({ config: { sites } })
  root = await folder('website', 1, { public: true })
  news = await folder('news', root)
  secret = await folder('secret', root, { public: false })
  await publish(root, 'index.html')
  await publish(root, 'about us.html')
  await publish(news, 'index.html')
  await publish(news, 'photo.png')
  await publish(secret, 'plan.pdf')
  await make(news, 'draft.html')
})
after(() => server.close())

async function folder(name: string, parent: number, fields: object = {}): Promise<number> {
  const { asset_category_id: id } = await makeFolder(server, {
    name,
    parent_category_id: parent,
    ...fields,
  })
  return id
}

const make = (parent: number, name: string, fields: object = {}): Promise<any> =>
  makeFile(server, {
    name,
    type: name.split('.').at(-1) === 'html' ? 'html' : 'txt',
    parent_category_id: parent,
    pageContent: '',
    ...fields,
  })
const publish = (parent: number, name: string, fields: object = {}): Promise<any> =>
  make(parent, name, { fileState: 'publish', ...fields })

async function check(pageContent: string, fields: object = {}, key?: string): Promise<any> {
  const json = { pageContent, type: 'html', parent_category_id: news, ...fields }
  const answer = await server.call('POST', CHECK, { json, ...(key !== undefined && { key }) })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The addresses that lead nowhere, with the reason of each. */
async function deadIn(text: string, fields: object = {}, key?: string): Promise<object> {
  const { links } = await check(text, fields, key)
  return Object.fromEntries(links.map(({ address, reason }: any) => [address, reason]))
}

const linksTo = (...addresses: readonly string[]): string =>
  addresses.map((address) => `<a href="${address}">x</a>`).join('\n')

describe('links/check', () => {
  const ALIVE = [
    'photo.png',
    './PHOTO.png?w=1#a',
    '../about%20us.html',
    '../about%20us',
    '/news/photo.png',
    '/news/',
    '/news',
    '/',
    '../../../index.html',
    '../',
    `${ORIGIN}/news/photo.png`,
    '//www.example.org/',
    '#top',
    'mailto:a@example.org',
    'https://other.example/x.html',
    'https:x.html',
    'javascript:void(0)',
    '{{address}}',
  ]
  for (const address of ALIVE)
    test(`finds nothing wrong with ${address}`, async () => {
      assert.deepEqual(await deadIn(linksTo(address)), {})
    })

  const DEAD: readonly (readonly [string, string])[] = [
    ['photo.jpg', 'missing'],
    ['../photo.png', 'missing'],
    ['/photo.png', 'missing'],
    [`${ORIGIN}/photo.png`, 'missing'],
    ['a/b/c.html', 'missing'],
    ['%E4%A', 'missing'],
    ['draft.html', 'unpublished'],
    ['draft', 'unpublished'],
    ['../secret/plan.pdf', 'private'],
    ['../secret/', 'missing'],
  ]
  for (const [address, reason] of DEAD)
    test(`reports ${address} as ${reason}`, async () => {
      assert.deepEqual(await deadIn(linksTo(address)), { [address]: reason })
    })

  test('names the place and the file of each address', async () => {
    const text = 'a\r\n\n<img alt="" src=\'draft.html\'>\n<p style="background:url(no.png)">'
    const { links, is_complete: isComplete } = await check(text)
    assert.equal(isComplete, true)
    const found = links.map((link: any) => [
      text.slice(link.offset, link.offset + link.length),
      link.line,
      link.column,
      link.asset_file_id !== null,
    ])
    assert.deepEqual(found, [
      ['draft.html', 3, 18, true],
      ['no.png', 4, 26, false],
    ])
  })

  test('reads Markdown, style sheets and shortcodes', async () => {
    const { asset_file_id: id } = await make(news, 'shortcode.html')
    const markdown =
      '[a](no.md) ![b](<no b.png>)\n\n[c]: no-c.md\n\n`[d](d.md)`\n\n```\n[e](e.md)\n```\n'
    const inMarkdown = Object.keys(await deadIn(markdown, { type: 'md' }))
    assert.deepEqual(inMarkdown, ['no.md', 'no b.png', 'no-c.md'])
    const css = '@import "no.css"; /* url(c.png) */ a { background: url( no.png ) }'
    assert.deepEqual(Object.keys(await deadIn(css, { type: 'CSS' })), ['no.css', 'no.png'])
    const set = 'a { content: image-set("no.png" 2x) / "b" }'
    assert.deepEqual(Object.keys(await deadIn(set, { type: 'css' })), ['no.png'])
    const stml = `<div id="dd.0"><img src="[get_asset_file_url id=${id}]">[include id="999"]</div>`
    assert.deepEqual(await deadIn(stml, { type: 'stml' }), {
      [`asset_file:${id}`]: 'unpublished',
      'asset_file:999': 'missing',
    })
  })

  test('checks /file/{number}/{name} by number and name', async () => {
    const file = await publish(news, 'numbered.html')
    const id = file.asset_file_id
    const addresses = [`/file/${id}/numbered.html`, `/file/${news}/photo.png`]
    assert.deepEqual(await deadIn(linksTo(...addresses)), {})
    assert.deepEqual(await deadIn(linksTo(`/file/${id}/other.html`)), {
      [`/file/${id}/other.html`]: 'missing',
    })
  })

  test('follows former names and redirects', async () => {
    const file = await publish(news, 'before.html')
    const path = `/api/v2/asset_file/${file.asset_file_id}`
    await server.call('POST', path, { json: { name: 'after.html', fileState: 'publish' } })
    const redirects = [{ from: '/old', to: '/', status: 301 }]
    const changed = await server.call('POST', `/api/v2/asset_category/${news}`, {
      json: { redirects },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await deadIn(linksTo('before.html', 'after.html', 'old', '/news/old')), {})
  })

  test('answers as if hidden folders and files did not exist', async () => {
    const own = await folder('own', secret)
    await publish(own, 'mine.html')
    const key = await server.makeKey({ name: 'own', grants: 'view', category: own })
    const fields = { parent_category_id: own }
    assert.deepEqual(await deadIn(linksTo('mine.html'), fields, key), {})
    const hidden = ['../plan.pdf', `${ORIGIN}/secret/plan.pdf`, '../../news/draft.html']
    const found = await deadIn(linksTo(...hidden), fields, key)
    assert.deepEqual(found, Object.fromEntries(hidden.map((address) => [address, 'missing'])))
    const json = { pageContent: '', type: 'html', parent_category_id: news }
    assertProblem(
      await server.call('POST', CHECK, { json: { ...json, parent_category_id: secret }, key }),
      'invalid-content',
    )
  })

  test('bounds its work and its answer', async () => {
    const { links, is_complete: isComplete } = await check('<a href="no.html">'.repeat(200_000))
    assert.equal(links.length, 500)
    assert.equal(isComplete, false)
  })

  test('refuses wrong bodies', async () => {
    const json = { pageContent: '', type: 'html', parent_category_id: news }
    for (const wrong of [
      { pageContent: 1 },
      { type: 'png' },
      { type: null },
      { parent_category_id: 'a' },
      { parent_category_id: 999_999 },
      { more: 1 },
    ])
      assertProblem(
        await server.call('POST', CHECK, { json: { ...json, ...wrong } }),
        'invalid-content',
      )
  })
})

describe('used_on', () => {
  interface Using {
    readonly pages: readonly any[]
    readonly file_groups: readonly any[]
    readonly entries: readonly any[]
    readonly next: string | null
    readonly is_complete: boolean
  }
  async function usesOf(file: any, query = '', key?: string): Promise<Using> {
    const path = `/api/v2/asset_file/${file.asset_file_id}/used_on${query}`
    const answer = await server.call('GET', path, key === undefined ? {} : { key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  /** The names of the pages, each with the versions that lead to the file. */
  async function pagesOf(file: any, key?: string): Promise<readonly string[]> {
    const { pages } = await usesOf(file, '', key)
    return pages.map(({ name, in_live: live, in_staged: staged, in_latest: latest }) =>
      [
        name,
        ...(live ? ['live'] : []),
        ...(staged ? ['staged'] : []),
        ...(latest ? ['latest'] : []),
      ].join(' '),
    )
  }
  const save = (file: any, json: object): Promise<any> =>
    server.call('POST', `/api/v2/asset_file/${file.asset_file_id}`, { json })

  let place: number
  before(async () => {
    place = await folder('uses', root)
  })

  test('lists pages by the versions that lead to the file', async () => {
    const target = await publish(place, 'a.png')
    const page = await publish(place, 'a.html', { pageContent: linksTo('a.png') })
    const other = await make(news, 'a-other.html', { pageContent: linksTo('../uses/a.png') })
    await make(news, 'a-none.html', { pageContent: linksTo('a.png', 'b.png') })
    assert.deepEqual(await pagesOf(target), ['a.html live staged latest', 'a-other.html latest'])
    await save(page, { pageContent: 'no link any more' })
    assert.deepEqual(await pagesOf(target), ['a.html live staged', 'a-other.html latest'])
    await save(page, { fileState: 'publish' })
    await save(other, { fileState: 'stage' })
    assert.deepEqual(await pagesOf(target), ['a-other.html staged latest'])
    await server.call('POST', `/api/v2/asset_file/${page.asset_file_id}/publish?version=1`)
    assert.deepEqual(await pagesOf(target), ['a.html live', 'a-other.html staged latest'])
  })

  test('stays right when files and folders are renamed and moved', async () => {
    const inner = await folder('inner', place)
    const target = await publish(inner, 'b.png')
    await publish(place, 'b.html', { pageContent: linksTo('inner/b.png') })
    const found = ['b.html live staged latest']
    assert.deepEqual(await pagesOf(target), found)
    await save(target, { name: 'b2.png', fileState: 'publish' })
    assert.deepEqual(await pagesOf(target), found)
    await server.call('POST', `/api/v2/asset_category/${inner}`, { json: { name: 'renamed' } })
    assert.deepEqual(await pagesOf(target), found)
    const next = await publish(place, 'inner', { type: 'txt' })
    assert.equal(next.name, 'inner')
    await save(target, { parent_category_id: news })
    assert.deepEqual(await pagesOf(target), found)
  })

  test('finds shortcodes, start pages, uploads, copies and changed types', async () => {
    const start = await folder('start', place)
    const target = await publish(start, 'index.html')
    const id = target.asset_file_id
    const links = linksTo('start/', '/uses/start', `[get_asset_file_url id=${id}]`)
    const page = await make(place, 'c.html', { pageContent: `<div id="dd.0">${links}</div>` })
    const uploaded = await server.upload([
      { name: 'asset_category_id', value: String(start) },
      { name: 'Filedata', bytes: Buffer.from('[a](./)'), fileName: 'c.md' },
    ])
    assert.equal(uploaded.status, 201, uploaded.text)
    const text = await make(start, 'c.txt', { pageContent: linksTo('index') })
    assert.deepEqual(await pagesOf(target), ['c.html latest', 'c.md latest'])
    await save(text, { type: 'html' })
    const copied = await server.call('POST', `/api/v2/asset_file/${page.asset_file_id}/copy`, {
      json: { name: 'c-copy.html' },
    })
    assert.equal(copied.status, 201, copied.text)
    assert.deepEqual(await pagesOf(target), [
      'c.html latest',
      'c.md latest',
      'c.txt latest',
      'c-copy.html latest',
    ])
  })

  test('forgets deleted pages, and knows them again after a restore', async () => {
    const target = await publish(place, 'd.png')
    const page = await make(place, 'd.html', { pageContent: linksTo('d.png') })
    assert.deepEqual(await pagesOf(target), ['d.html latest'])
    await server.call('DELETE', `/api/v2/asset_file/${page.asset_file_id}`)
    assert.deepEqual(await pagesOf(target), [])
    const { body } = await server.call('GET', '/api/v2/trash?orderStr=trash_id&orderDir=DESC')
    const restore = `/api/v2/trash/${body.trash[0].trash_id}/restore`
    assert.equal((await server.call('POST', restore)).status, 200)
    assert.deepEqual(await pagesOf(target), ['d.html latest'])
  })

  test('pages through the list, and adds groups and entries to the first page', async () => {
    const target = await publish(place, 'e.png')
    const id = target.asset_file_id
    for (const name of ['e1.html', 'e2.html', 'e3.html'])
      await make(place, name, { pageContent: linksTo('e.png') })
    const group = await server.call('POST', '/api/v2/file_group', {
      json: { name: 'shown', parent_category_id: place, asset_file_ids: [id] },
    })
    assert.equal(group.status, 201, group.text)
    const table = await server.call('POST', '/api/v2/datatable', {
      json: {
        name: 'pictures',
        parent_category_id: place,
        table_schema: 'picture I4 NULL REFERENCES asset_file',
      },
    })
    assert.equal(table.status, 201, table.text)
    const entries = `/api/v2/module/datatable/${table.body.datatable_id}/pictures`
    assert.equal((await server.call('POST', entries, { json: { picture: id } })).status, 201)

    const first = await usesOf(target, '?length=2')
    assert.deepEqual(
      first.pages.map(({ name }) => name),
      ['e1.html', 'e2.html'],
    )
    assert.deepEqual(first.file_groups, [
      { file_group_id: group.body.file_group_id, name: 'shown' },
    ])
    assert.deepEqual(
      first.entries.map(({ column, module_name }) => [module_name, column]),
      [['pictures', 'picture']],
    )
    assert.equal(first.is_complete, true)
    const second = await usesOf(target, `?length=2&cursor=${encodeURIComponent(first.next ?? '')}`)
    assert.deepEqual(
      second.pages.map(({ name }) => name),
      ['e3.html'],
    )
    assert.deepEqual([second.file_groups, second.entries, second.next], [[], [], null])
  })

  test('knows the links of a short text as soon as it is saved', async () => {
    // A request with this key never reads a text.
    const key = await server.makeKey({ name: 'viewer', grants: 'view', category: place })
    const target = await publish(place, 'h.png')
    const page = await publish(place, 'h.html', { pageContent: linksTo('h.png') })
    const id = page.asset_file_id
    assert.deepEqual(await pagesOf(target, key), ['h.html live staged latest'])
    await save(page, { pageContent: '', fileState: 'publish' })
    assert.deepEqual(await pagesOf(target, key), [])
    const uploaded = await server.upload([
      { name: 'asset_file_id', value: String(id) },
      { name: 'fileState', value: 'publish' },
      { name: 'Filedata', bytes: Buffer.from(linksTo('./h.png')), fileName: 'h.html' },
    ])
    assert.equal(uploaded.status, 200, uploaded.text)
    assert.deepEqual(await pagesOf(target, key), ['h.html live staged latest'])
    const list = [
      { name: 'h2.html', type: 'html', parent_category_id: place, fileState: 'publish' },
    ]
    const json = list.map((file) => ({ ...file, pageContent: linksTo('h.png') }))
    assert.equal((await server.call('POST', '/api/v2/asset_file', { json })).status, 201)
    assert.deepEqual(await pagesOf(target, key), [
      'h.html live staged latest',
      'h2.html live staged latest',
    ])
    assert.equal((await usesOf(target, '', key)).is_complete, true)
  })

  test('shows nothing that the key may not see', async () => {
    const target = await publish(place, 'f.png')
    await make(secret, 'f-secret.html', { pageContent: linksTo('../uses/f.png') })
    const page = await publish(place, 'f.html', { pageContent: '' })
    await save(page, { pageContent: linksTo('f.png') })
    const key = await server.makeKey({ name: 'uses', grants: 'view', category: place })
    assert.deepEqual(await pagesOf(target), ['f-secret.html latest', 'f.html latest'])
    assert.deepEqual(await pagesOf(target, key), [])
    await save(page, { fileState: 'publish' })
    assert.deepEqual(await pagesOf(target, key), ['f.html live staged latest'])

    const group = {
      name: 'hidden',
      parent_category_id: secret,
      asset_file_ids: [target.asset_file_id],
    }
    assert.equal((await server.call('POST', '/api/v2/file_group', { json: group })).status, 201)
    assert.deepEqual((await usesOf(target, '', key)).file_groups, [])
    assert.equal((await usesOf(target)).file_groups.length, 1)
    const hidden = await make(secret, 'f-hidden.png')
    const path = `/api/v2/asset_file/${hidden.asset_file_id}/used_on`
    assertProblem(await server.call('GET', path, { key }), 'not-found')
  })
})
