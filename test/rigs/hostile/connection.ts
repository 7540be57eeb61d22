// A connection of a hostile client: sends any bytes at any pace and collects the answers of the
// server.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROBLEMS } from '../../../lib/base/problem-table.ts'

export interface Connection {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** Sends piece by piece until all is sent, the connection is closed, or the rig ends. */
  drip(bytes: Buffer, pieceBytes: number, everyMs: number): Promise<void>
  /** The beginning of the answer, without 100 Continue. */
  text(): string
  /** Resolves when the answer is complete, the connection is closed, or the rig ends. */
  answered(): Promise<void>
  /** Resolves when the server has closed the connection or the rig ends. */
  closed(): Promise<void>
}

/** The beginning of an answer is enough to judge it. */
const KEPT_BYTES = 8_192
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

export async function openConnection(url: string, signal: AbortSignal): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  let text = ''
  let isClosed = false
  const closing = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      resolve()
    })
  })
  signal.addEventListener('abort', () => socket.destroy(), { once: true })
  socket.on('data', (chunk: Buffer) => {
    if (text.length < KEPT_BYTES) text += chunk.toString('latin1', 0, KEPT_BYTES)
  })
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closing])
  const answer = (): string => text.replaceAll(CONTINUE, '')

  return {
    socket,
    write(bytes) {
      if (!isClosed) socket.write(bytes)
    },
    async drip(bytes, pieceBytes, everyMs) {
      for (let at = 0; at < bytes.length && !isClosed && !signal.aborted; at += pieceBytes) {
        socket.write(bytes.subarray(at, at + pieceBytes))
        await Promise.race([sleep(everyMs, undefined, { signal }).catch(() => undefined), closing])
      }
    },
    text: answer,
    async answered() {
      while (!isClosed && !isWhole(answer())) {
        const more = new Promise((resolve) => socket.once('data', resolve))
        await Promise.race([more, closing])
      }
    },
    closed: () => closing,
  }
}

/** Every answer that these clients wait for has a length. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? '0'
  return text.length >= Math.min(end + 4 + Number(length), KEPT_BYTES)
}

/** The server may answer any client with these statuses while it is busy. */
const BUSY = [429, 503]

/** Describes the fault of an answer; undefined if the answer is right or empty. */
export function judge(text: string, allowed: readonly number[]): string | undefined {
  if (text === '') return undefined
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0)
  if (![...allowed, ...BUSY].includes(status)) return `${text.slice(0, 300)}`
  if (status < 400) return undefined
  // The page for missing paths of a site has no code.
  if (status === 404 && /\r\ncontent-type: text\/html/i.test(text)) return undefined
  const code = /"code":"([a-z-]+)"/.exec(text)?.[1] ?? ''
  const isDeclared =
    Object.hasOwn(PROBLEMS, code) && PROBLEMS[code as keyof typeof PROBLEMS].status === status
  return isDeclared && !['internal', 'outcome-unknown'].includes(code) ? undefined : text
}
