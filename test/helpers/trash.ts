// Finds, restores and removes items of the trash in tests.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Answering } from './server.ts'

export const TRASH = '/api/v2/trash'

export async function listTrash(server: Answering, qry: object = {}): Promise<readonly any[]> {
  const query = `length=1000&qry=${encodeURIComponent(JSON.stringify(qry))}`
  const { status, body, text } = await server.call('GET', `${TRASH}?${query}`)
  assert.equal(status, 200, text)
  return body.trash
}

/** The only item for the record, once its deletion has ended. */
export async function trashItem(server: Answering, object: string, id: number): Promise<any> {
  for (;;) {
    const [item, ...others] = await listTrash(server, { object, object_id: id })
    assert.ok(item !== undefined && others.length === 0, `${object} ${id}: one item in the trash`)
    if (item.state === 'complete') return item
    await sleep(20)
  }
}

export function restore(server: Answering, item: any, json: object = {}): Promise<Answer> {
  return server.call('POST', `${TRASH}/${item.trash_id}/restore`, { json })
}

export async function remove(server: Answering, path: string): Promise<void> {
  const answer = await server.call('DELETE', path)
  assert.equal(answer.status, 204, answer.text)
}

/** Waits until the work after a restore has ended, which removes the item. */
export async function untilGone(server: Answering, { trash_id: id }: any): Promise<void> {
  for (;;) {
    const { status } = await server.call('GET', `${TRASH}/${id}`)
    if (status === 404) return
    await sleep(20)
  }
}
