// Changes an entry, and reads and restores its history.

import assert from 'node:assert/strict'
import type { Answer, Answering, Call } from './server.ts'

export async function update(server: Answering, entry: string, json: object): Promise<any> {
  const answer = await server.call('POST', entry, { json })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export interface History {
  readonly history: readonly any[]
  readonly page: any
}

export async function historyOf(
  server: Answering,
  entry: string,
  query = '',
  key?: string,
): Promise<History> {
  const call = key === undefined ? {} : { key }
  const answer = await server.call('GET', `${entry}/history${query}`, call)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export function restore(
  server: Answering,
  entry: string,
  number: number,
  call: Call = {},
): Promise<Answer> {
  return server.call('POST', `${entry}/history/${number}/restore`, call)
}
