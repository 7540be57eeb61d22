// Clients that each stay with one process of a server. The operating system shows which process holds a
// connection.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer, Call, TestServer } from './server.ts'

export interface ProcessClient {
  /** The process that answers. */
  readonly pid: number
  call(method: string, path: string, call?: Call): Promise<Answer>
  close(): void
}

/**
 * Opens a client for each process. The writer's client comes last; `writer` is the writer's pid.
 */
export async function openProcessClients(
  server: Pick<TestServer, 'url' | 'key'>,
  writer: number,
  count: number,
): Promise<readonly ProcessClient[]> {
  const found = new Map<number, ProcessClient>()
  for (let tries = 0; found.size < count; tries += 1) {
    if (tries === 200) throw new Error(`only ${found.size} processes have answered`)
    const client = await openClient(server, writer)
    if (found.has(client.pid)) client.close()
    else found.set(client.pid, client)
  }
  return [...found.values()].toSorted(
    (left, right) => Number(left.pid === writer) - Number(right.pid === writer),
  )
}

async function openClient({ url, key }: Pick<TestServer, 'url' | 'key'>, writer: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let socket: Socket | undefined

  const call = (method: string, path: string, options: Call = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { json, headers = {} } = options
      const secret = options.key === undefined ? key : options.key
      const body = json === undefined ? options.body : JSON.stringify(json)
      const asked = httpRequest(
        new URL(url).origin,
        {
          method,
          path,
          agent,
          headers: {
            ...(secret !== null && { authorization: `Bearer ${secret}` }),
            ...(json !== undefined && { 'content-type': 'application/json' }),
            ...(body !== undefined &&
              headers['transfer-encoding'] === undefined && {
                'content-length': String(Buffer.byteLength(body)),
              }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const bytes = Buffer.concat(chunks)
            const text = bytes.toString()
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              bytes,
              text,
              body: parse(text),
            })
          })
        },
      )
      asked.once('socket', (used) => {
        socket = used
      })
      asked.once('error', reject)
      asked.end(body)
    })

  await call('GET', '/health', { key: null })
  const pid = ownerOf(Number(new URL(url).port), socket?.localPort ?? 0, writer)
  return { pid, call, close: () => agent.destroy() }
}

function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The child processes of a server. */
export function readersOf(writer: number): readonly number[] {
  const children = readFileSync(`/proc/${writer}/task/${writer}/children`, 'utf8')
  return children
    .split(' ')
    .filter((text) => text !== '')
    .map(Number)
    .filter((pid) => commandOf(pid).includes('read-beside'))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** The process that holds the server's end of the connection. */
function ownerOf(port: number, clientPort: number, writer: number): number {
  const hex = (number: number): string => number.toString(16).toUpperCase().padStart(4, '0')
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(
      ([, local, remote]) =>
        local?.endsWith(`:${hex(port)}`) && remote?.endsWith(`:${hex(clientPort)}`),
    )
  const name = `socket:[${line?.[9]}]`
  const owner = [writer, ...readersOf(writer)].find((pid) => linksOf(pid).includes(name))
  if (owner === undefined) throw new Error('nobody holds the connection')
  return owner
}

function linksOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return ''
    }
  })
}

/** Whether all processes of a server accept requests. */
export async function doAllServe({ url }: { readonly url: string }): Promise<boolean> {
  const answer = await fetch(`${url}/ready`)
  const { warnings = [] } = (await answer.json()) as { warnings?: { code: string }[] }
  return answer.ok && !warnings.some(({ code }) => code === 'few-processes')
}
