// Filters by action: publish and stage match by the effect on the file, whichever request caused it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile, newName, uploadFile } from '../../helpers/content.ts'
import { ask, changesOf, inShort, openStream } from '../../helpers/follow.ts'
import { openSite, type Site } from '../webhooks/site.ts'

let site: Site
before(async () => {
  site = await openSite({})
})
after(() => site.close())

/** Publishes and stages in every possible way, and makes some changes that do neither. */
async function moveInEveryWay(): Promise<Readonly<Record<string, number>>> {
  const { server, ok } = site
  const idOf = async (made: Promise<any>): Promise<number> => (await made).asset_file_id
  const created = await idOf(makeFile(server, { fileState: 'publish' }))
  const updated = await idOf(makeFile(server))
  await ok('POST', `/api/v2/asset_file/${updated}`, { title: 'a', fileState: 'publish' })
  const patched = await idOf(makeFile(server))
  const type = 'application/merge-patch+json'
  const patch = { body: '{"fileState":"publish"}', headers: { 'content-type': type } }
  assert.equal((await server.call('PATCH', `/api/v2/asset_file/${patched}`, patch)).status, 200)
  const uploaded = await idOf(uploadFile(server, 'bytes', { fileState: 'publish' }))
  const page = { name: newName(), type: 'html', parent_category_id: 1, fileState: 'publish' }
  const [listed] = (await ok('POST', '/api/v2/asset_file', [page] as object)).asset_file
  const asked = await idOf(makeFile(server))
  await ok('GET', `/api/v2/asset_file/${asked}/publish`)
  const staged = await idOf(makeFile(server, { fileState: 'stage' }))
  const askedStage = await idOf(makeFile(server))
  await ok('GET', `/api/v2/asset_file/${askedStage}/stage`)
  await ok('POST', `/api/v2/asset_file/${created}/unpublish`, {})
  return {
    created,
    updated,
    patched,
    uploaded,
    listed: listed.asset_file_id,
    asked,
    staged,
    askedStage,
  }
}

test('the filters publish and stage match every change that moved the pointer', async () => {
  const { server } = site
  const { page } = await ask(server)
  const receiver = await site.receive()
  await site.hook(receiver, { actions: ['publish'] })
  const stream = await openStream(server, { query: 'action=publish' })
  const ids = await moveInEveryWay()

  const published = ['created', 'updated', 'patched', 'uploaded', 'listed', 'asked']
  const wanted = published.map((name) => ids[name])
  const idsOf = (changes: readonly any[]): readonly number[] => changes.map((one) => one.object_id)
  const told = async (action: string): Promise<readonly any[]> =>
    (await ask(server, `since=${page.next}&length=1000&action=${action}`)).change
  assert.deepEqual(idsOf(await told('publish')), wanted)
  assert.deepEqual(idsOf(await told('stage')), [ids['staged'], ids['askedStage']])
  assert.deepEqual(inShort(await told('unpublish')), [`unpublish asset_file ${ids['created']}`])
  // The requested action still matches.
  assert.ok(idsOf(await told('create')).includes(Number(ids['created'])))

  const rows = async (action: unknown): Promise<readonly number[]> => {
    const qry = encodeURIComponent(JSON.stringify({ object: 'asset_file', action }))
    const { body } = await server.call('GET', `/api/v2/audit?length=1000&qry=${qry}`)
    return body.audit.map((row: any) => row.object_id)
  }
  assert.deepEqual(await rows('publish'), wanted)
  assert.deepEqual(await rows('stage'), [ids['staged'], ids['askedStage']])
  assert.deepEqual((await rows({ $in: ['publish', 'upload'] })).toSorted(), wanted.toSorted())
  assert.ok(!(await rows({ $ne: 'publish' })).includes(Number(ids['uploaded'])))

  const events = await stream.until(wanted.length)
  assert.deepEqual(
    events.map(({ data }) => data.object_id),
    wanted,
  )
  stream.close()
  const received = await receiver.until(wanted.length)
  assert.deepEqual(
    received.map(({ body }) => [body.data.object_id, body.data.fileState]),
    wanted.map((id) => [id, 'publish']),
  )
})

test('a filter by publish and folder does not match a file that leaves the folder', async () => {
  const { server } = site
  const folder = await site.folder()
  const file = await makeFile(server, { parent_category_id: folder })
  const query = `action=publish&asset_category_id=${folder}`
  const move = { parent_category_id: 1, fileState: 'publish' }
  const told = await changesOf(
    server,
    () => site.ok('POST', `/api/v2/asset_file/${file.asset_file_id}`, move),
    { query },
  )
  assert.deepEqual(told, [])
})
