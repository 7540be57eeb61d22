// Firefox, driven by WebDriver BiDi (W3C) over its own port. Needs Firefox at FIREFOX_PATH or in Debian's
// place. Playwright drives its own build of Firefox, but people use the distribution's build.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type MessageEvent, WebSocket } from 'undici'

export const FIREFOX = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr'

/** A reason to skip, if Firefox is missing. */
export const NO_FIREFOX = existsSync(FIREFOX) ? false : `there is no browser at ${FIREFOX}`

export interface Firefox {
  /** Console lines of all windows, frames and workers. */
  readonly lines: readonly string[]
  newTab(): Promise<FirefoxTab>
  close(): Promise<void>
}

export interface FirefoxTab {
  goto(url: string): Promise<void>
  /** Evaluates an expression and awaits promises. The result is text. */
  evaluate(expression: string): Promise<string>
  close(): Promise<void>
}

interface ProtocolMessage {
  readonly id?: number
  readonly type: string
  readonly message?: string
  readonly method?: string
  readonly result?: any
  readonly params?: any
}

export async function openFirefox(): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'cms-firefox-'))
  const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile]
  const child = spawn(FIREFOX, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  })
  const socket = new WebSocket(`${await addressOf(child)}/session`)
  await once(socket, 'open')
  const lines: string[] = []
  const send = speaker(socket, lines)
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })

  return {
    lines,
    newTab: () => newTab(send),
    async close() {
      const ended = child.exitCode === null ? once(child, 'exit') : undefined
      await send('browser.close', {})
      await ended
      socket.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  assert.ok(child.stderr !== null)
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /^WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address === undefined) continue
    child.stderr.resume()
    return address
  }
  throw new Error('Firefox has ended')
}

type Send = (method: string, params: object) => Promise<any>

function speaker(socket: WebSocket, lines: string[]): Send {
  let last = 0
  const waiting = new Map<number, { ok: (value: any) => void; fail: (error: Error) => void }>()
  socket.addEventListener('message', ({ data }: MessageEvent) => {
    const message = JSON.parse(String(data)) as ProtocolMessage
    if (message.method === 'log.entryAdded') lines.push(String(message.params.text))
    if (message.id === undefined) return
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'success') asked?.ok(message.result)
    else asked?.fail(new Error(message.message))
  })
  return (method, params) =>
    new Promise((ok, fail) => {
      last += 1
      waiting.set(last, { ok, fail })
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}

async function newTab(send: Send): Promise<FirefoxTab> {
  const { context } = await send('browsingContext.create', { type: 'tab' })
  return {
    async goto(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression,
        target: { context },
        awaitPromise: true,
        userActivation: true,
      })
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return String(result.value)
    },
    async close() {
      await send('browsingContext.close', { context })
    },
  }
}
