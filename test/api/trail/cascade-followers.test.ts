// Webhooks, the change feed and change streams carry the effects of a deletion on other entries, whether the deletion takes one
// commit or many.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, openStream } from '../../helpers/follow.ts'
import { makeEntries, makeEntry, makeTable } from '../../helpers/modules.ts'
import { openSite, type Site } from '../webhooks/site.ts'

let site: Site
before(async () => {
  site = await openSite({ webhookRetryMs: 20, webhookTimeoutMs: 1_000 })
})
after(() => site.close())

const inShort = ({ module_id: module, object_id: id, action }: any): string =>
  `${action} ${module}/${id}`

for (const [count, status] of [
  [3, 204],
  [700, 202],
] as const) {
  test(`a deletion with ${count} dependents reports each of them once to every follower`, async () => {
    const { server } = site
    const top = await makeTable(server, 'name C(9)')
    const parts = await makeTable(
      server,
      `top I REFERENCES datatable ${top.id} ON DELETE CASCADE, up I REFERENCES SELF ON DELETE CASCADE`,
    )
    const lists = await makeTable(
      server,
      `all I REFERENCES datatable ${top.id} MANY ON DELETE SET NULL, part I REFERENCES datatable ${parts.id} ON DELETE SET NULL`,
    )
    const { datatable_entry_id: id } = await makeEntry(server, top.url, {})
    const entries = Array.from({ length: count }, (_, at) => (at === 0 ? { top: id } : { up: 1 }))
    await makeEntries(server, parts.url, entries.slice(0, 1))
    await makeEntries(server, parts.url, entries.slice(1))
    await makeEntries(server, lists.url, [{ all: [id] }, { part: 1 }, { part: count }])

    const receiver = await site.receive()
    await site.hook(receiver, { objects: ['datatable_entry'] })
    const stream = await openStream(server)
    const { page } = await ask(server)
    assert.equal((await server.call('DELETE', `${top.url}/${id}`)).status, status)

    const expected = [
      ...entries.map((_, at) => `delete ${parts.id}/${at + 1}`),
      ...[1, 2, 3].map((at) => `update ${lists.id}/${at}`),
    ]
    const root = `delete ${top.id}/${id}`
    const check = (found: readonly string[]): void => {
      assert.equal(found.at(-1), root)
      assert.deepEqual(found.slice(0, -1).toSorted(), expected.toSorted())
      // The entry that the others refer to is deleted after them.
      const order = found.filter((text) => text.startsWith(`delete ${parts.id}/`))
      assert.equal(order.at(-1), `delete ${parts.id}/1`)
    }
    const total = expected.length + 1
    const received = await receiver.until(total)
    check(
      received.map(({ body: { type, data } }) => inShort({ ...data, action: type.split('.')[1] })),
    )
    const events = await stream.until(total)
    stream.close()
    check(events.map(({ data }) => inShort(data)))
    const { change } = await ask(server, `since=${page.next}&length=1000`)
    check(change.map(inShort))
  })
}
