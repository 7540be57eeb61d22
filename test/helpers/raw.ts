// Bytes to a socket and back: for requests that no client would send.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends the bytes and gives all that comes back until the server closes or is silent for `quietMs`. */
export async function exchange(
  url: string,
  request: string | Uint8Array,
  quietMs = 5_000,
): Promise<string> {
  const socket = await openSocket(url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.setTimeout(quietMs, () => socket.destroy())
  socket.write(request)
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

/** One request that asks for the end of the connection. */
export async function ask(url: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const text = await exchange(url, `${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  return parseAnswer(text)
}

export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end)
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: text.slice(end + 4),
  }
}

/** Waits until `check` holds; fails the test by its own assertion when it never does. */
export async function eventually(
  check: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<boolean> {
  const end = Date.now() + timeoutMs
  while (Date.now() < end) {
    if (await check()) return true
    await sleep(20)
  }
  return check()
}
