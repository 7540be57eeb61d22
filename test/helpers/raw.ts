// Sends and receives raw bytes on a socket, for requests that no HTTP client would send.

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

/**
 * Sends the bytes and returns everything received until the server closes or is silent for
 * `quietMs`.
 */
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

/** Sends one request with `Connection: close`. */
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

/** Polls `check` until it holds or the time is over, and returns the last result. */
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
