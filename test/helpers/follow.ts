// A client that follows the changes of a site, by polling and by a stream.

import assert from 'node:assert/strict'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Answer, TestServer } from './server.ts'

export const CHANGES = '/api/v2/change'

export async function ask(
  server: Pick<TestServer, 'call'>,
  query = '',
  key?: string,
): Promise<any> {
  const answer = await server.call('GET', `${CHANGES}?${query}`, key === undefined ? {} : { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The changes that the action caused and the key may see. */
export async function changesOf(
  server: TestServer,
  change: () => Promise<unknown>,
  { query = '', key }: { readonly query?: string; readonly key?: string } = {},
): Promise<readonly any[]> {
  const { page } = await ask(server, query, key)
  await change()
  const { change: told } = await ask(server, `length=1000&since=${page.next}&${query}`, key)
  return told
}

export function inShort(changes: readonly any[]): readonly string[] {
  return changes.map(({ action, object, object_id: id }) => `${action} ${object} ${id}`)
}

export interface StreamEvent {
  readonly event: string
  readonly id: string
  readonly data: any
}

export interface TestStream {
  readonly answer: IncomingMessage
  /** Events received so far. */
  readonly events: readonly StreamEvent[]
  /** Identifiers of everything received, including comments. */
  readonly ids: readonly string[]
  /** The last identifier. */
  readonly lastId: () => string
  /** Resolves after this number of events. */
  until(count: number): Promise<readonly StreamEvent[]>
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>
  close(): void
}

interface StreamOptions {
  readonly query?: string
  readonly key?: string
  readonly last?: string
  /** The client address that a trusted proxy reports. */
  readonly address?: string
}

export function openStream(
  server: Pick<TestServer, 'url' | 'key'>,
  options: StreamOptions = {},
): Promise<TestStream> {
  const { query = '', key = server.key, last, address } = options
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${key}`,
    ...(last !== undefined && { 'last-event-id': last }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
  }
  return new Promise((resolve, reject) => {
    const url = `${server.url}${CHANGES}/stream?${query}`
    const asked = request(url, { headers, agent: false }, (answer) => {
      resolve(readStream(asked, answer))
    })
    asked.on('error', reject)
    asked.end()
  })
}

function readStream(asked: ClientRequest, answer: IncomingMessage): TestStream {
  const events: StreamEvent[] = []
  const ids: string[] = []
  let text = ''
  let isEnded = false
  let wake: () => void = () => undefined
  answer.setEncoding('utf8')
  answer.on('data', (piece: string) => {
    text += piece
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const of = (name: string): string =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
      if (of('id') !== '') ids.push(of('id'))
      if (of('data') !== '')
        events.push({ event: of('event'), id: of('id'), data: JSON.parse(of('data')) })
    }
    wake()
  })
  for (const name of ['end', 'close', 'error'])
    answer.on(name, () => {
      isEnded = true
      wake()
    })

  async function wait(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  return {
    answer,
    events,
    ids,
    lastId: () => ids.at(-1) ?? '',
    async until(count) {
      await wait(() => events.length >= count || isEnded)
      assert.ok(events.length >= count, `ended with ${events.length} events`)
      return events
    },
    ended: () => wait(() => isEnded),
    close: () => void asked.destroy(),
  }
}

/** All identifiers in the lists of these objects. */
export async function idsIn(
  call: (path: string) => Promise<Answer>,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const object of objects) {
    const { body } = await call(`/api/v2/${object}?length=1000&fields=${object}_id`)
    for (const record of body[object]) ids.add(`${object} ${record[`${object}_id`]}`)
  }
  return ids
}
