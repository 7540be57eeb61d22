// A real server in a separate process on a temporary data directory. Tests can kill and restart the server on
// the same port.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { BIN, makeKey } from '../helpers/child-server.ts'

export interface TestServer {
  readonly url: string
  readonly key: string
  readonly makeKey: (...flags: readonly string[]) => Promise<string>
  /** Returns the parsed JSON answer; fails the test on an error status. */
  readonly get: (path: string) => Promise<Record<string, unknown>>
  readonly post: (path: string, body: unknown) => Promise<Record<string, unknown>>
  /** Suspends the process; pending requests stay unanswered. */
  readonly freeze: () => void
  /** Sends SIGKILL. */
  readonly kill: () => Promise<void>
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openServer(): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'cms-client-'))
  let running = await start(directory, '0')
  const { url } = running
  const key = await makeKey(directory)

  async function request(path: string, init: RequestInit): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { ...init, headers })
    const text = await response.text()
    assert.ok(response.ok, `${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const kill = (): Promise<void> => end(running.child)

  return {
    url,
    key,
    makeKey: (...flags) => makeKey(directory, flags),
    get: (path) => request(path, {}),
    post: (path, body) => request(path, { method: 'POST', body: JSON.stringify(body) }),
    freeze: () => running.child.kill('SIGSTOP'),
    kill,
    async restart() {
      running = await start(directory, new URL(url).port)
    },
    async close() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

interface Running {
  readonly child: ChildProcess
  readonly url: string
}

async function start(directory: string, port: string): Promise<Running> {
  const flags = ['start', '--data', directory, '--port', port, '--log-level', 'error']
  const child = spawn(process.execPath, [BIN, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    const url = /^cms-server listening on (http:\S+)$/.exec(line)?.[1]
    assert.ok(url, `the first line of the server is ${line}`)
    child.stdout.resume()
    return { child, url }
  }
  throw new Error('the server ended before it listened')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
