// The real thing: a server as a process of its own, which can be killed and started again.

import { type ChildServer, makeKey, startChild } from '../../helpers/child-server.ts'
import { newDataDirectory } from '../../helpers/data-directory.ts'
import { type Answer, buildForm, type Call, type Part, send } from '../../helpers/server.ts'

export interface World {
  call(method: string, path: string, call?: Call): Promise<Answer>
  upload(parts: readonly Part[]): Promise<Answer>
  /** Ends the server and starts it again on what it left. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const dataDir = newDataDirectory()
  const start = (): Promise<ChildServer> => startChild(dataDir, ['--log-level', 'error'])
  let server = await start()
  const key = await makeKey(dataDir)
  const call = (method: string, path: string, options: Call = {}): Promise<Answer> =>
    send(server.url, method, path, { key, ...options })

  return {
    call,
    upload(parts) {
      const { contentType, body } = buildForm(parts)
      return call('POST', '/upload', { body, headers: { 'content-type': contentType } })
    },
    async restart(signal) {
      const { code } = await server.kill(signal)
      if (signal === 'SIGTERM' && code !== 0) throw new Error(`The server ended with ${code}.`)
      server = await start()
    },
    async close() {
      await server.kill('SIGKILL')
    },
  }
}
