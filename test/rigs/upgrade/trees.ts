// Folders with much content that are made on one node and deleted on another. The content is gone
// everywhere with the answer. One node removes it afterwards, and may be stopped meanwhile, so the
// versions must agree on the node that does this work.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Doors, readAt, settle } from '../../cluster/whole/doors.ts'

export interface Trees {
  readonly faults: readonly string[]
  readonly count: number
}

const FOLDERS = '/api/v2/asset_category'
const LEAVES = 12
const PAUSE_MS = 300

/** Runs until the signal and resolves when all begun requests are settled. */
export async function growTrees(doors: Doors, signal: AbortSignal): Promise<Trees> {
  const faults: string[] = []
  let count = 0
  while (!signal.aborted) {
    count += 1
    faults.push(...(await growOne(doors, `tree-${count}`)))
    await sleep(PAUSE_MS)
  }
  return { faults, count }
}

async function growOne(doors: Doors, name: string): Promise<readonly string[]> {
  const tree = await made(doors, { name })
  const leaves: number[] = []
  for (let at = 0; at < LEAVES; at += 1)
    leaves.push(await made(doors, { name: `leaf-${at}`, parent_category_id: tree }))
  const path = `${FOLDERS}/${tree}?recursive=true`
  const { status } = await settle(doors, { method: 'DELETE', path })
  // 404 means that an earlier, unanswered attempt has deleted the tree.
  if (status !== 204 && status !== 404) return [`DELETE of ${name}: ${status}`]

  const faults: string[] = []
  for (const url of doors.urls) {
    const leaf = doors.random.pick(leaves)
    const found = await readAt(url, doors.key, `${FOLDERS}/${leaf}`)
    if (found !== undefined && found.status !== 404)
      faults.push(`${url} shows what lay in ${name}: ${found.status}`)
  }
  return faults
}

async function made(doors: Doors, json: object): Promise<number> {
  const { status, body } = await settle(doors, { method: 'POST', path: FOLDERS, json })
  if (status !== 201) throw new Error(`POST ${FOLDERS}: ${status}`)
  return body.asset_category_id
}
