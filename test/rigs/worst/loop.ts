// A server process with a probe of its event loop.

import { once } from 'node:events'
import { createConnection } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ChildServer, startChild } from '../../helpers/child-server.ts'
import { type Held, REPORT, SLEEP } from './probe.ts'

export interface ProbedServer extends ChildServer {
  /**
   * Returns the longest blocking of the loop since the last call, after all work behind the last
   * answer has ended.
   */
  held(): Promise<Held>
  /** Stops the probe until the next call of `held`. The server may be busy meanwhile. */
  sleep(): void
}

const PROBE = fileURLToPath(new URL('./probe.js', import.meta.url))
const ARGS = ['--log-level', 'error', '--min-free-mb', '0', '--scrub-days', '0']
/** If no long iteration occurred for this time, no work is in progress. */
const CALM_MS = 60
const MAX_WAIT_MS = 120_000

export async function startProbed(
  dataDir: string,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<ProbedServer> {
  const socket = join(dirname(dataDir), 'probe')
  const env = {
    ...variables,
    NODE_OPTIONS: `--import file://${PROBE}`,
    WORST_PROBE: socket,
    // The variable must be set here, because modules are imported before the launcher could set it.
    UV_THREADPOOL_SIZE: '16',
  }
  const server = await startChild(dataDir, [...ARGS, ...args], { env })
  const connection = createConnection(socket)
  connection.unref()
  await once(connection, 'connect')

  async function read(): Promise<Held> {
    connection.write(REPORT)
    const [line] = (await once(connection, 'data')) as [Buffer]
    return JSON.parse(line.toString()) as Held
  }

  return {
    ...server,
    async held() {
      let most = await read()
      for (let waitedMs = 0; most.calmMs < CALM_MS; waitedMs += CALM_MS) {
        if (waitedMs > MAX_WAIT_MS) throw new Error('The server does not come to rest.')
        await sleep(CALM_MS / 2)
        most = merge(most, await read())
      }
      return most
    },
    sleep: () => void connection.write(SLEEP),
  }
}

function merge(left: Held, right: Held): Held {
  return {
    wall: right.wall.wallMs > left.wall.wallMs ? right.wall : left.wall,
    cpu: right.cpu.cpuMs > left.cpu.cpuMs ? right.cpu : left.cpu,
    calmMs: right.calmMs,
  }
}
