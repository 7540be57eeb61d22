// The services of compose.cluster.yaml without Docker: nodes of the image with the settings of the file, and its nginx with
// its configuration. PostgreSQL is the one of the tests, the store is the documented program.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Nginx, runNginx } from '../../helpers/nginx.ts'
import { startPostgres } from '../../helpers/postgres.ts'
import type { Image } from './build.ts'
import type { Container } from './container.ts'

export interface Backends {
  /** The variables of a node. */
  readonly env: Readonly<Record<string, string>>
  close(): void
}

/** Starts the database and the store, and writes the secret of the nodes into the image. */
export async function startBackends(
  compose: string,
  image: Image,
  directory: string,
): Promise<Backends> {
  const postgres = await startPostgres({ isFast: true })
  const store = await startStore(compose, directory)
  const settings = settingsOf(compose)
  const secret = join(image.root, settings['DATABASE_URL_FILE'] ?? '')
  mkdirSync(join(secret, '..'), { recursive: true })
  writeFileSync(secret, `${await postgres.newSite()}\n`)
  return {
    env: { ...settings, S3_ENDPOINT: store.url, CMS_TRUST_PROXY: 'loopback' },
    close() {
      if (store.child.pid !== undefined) process.kill(-store.child.pid, 'SIGKILL')
      postgres.stop()
    },
  }
}

/** The variables of all nodes in the file. */
function settingsOf(compose: string): Readonly<Record<string, string>> {
  const [, block = ''] = /^ {2}environment:\n((?: {4}.*\n)+)/m.exec(compose) ?? []
  const pairs = [...block.matchAll(/^ {4}(\w+): (.*)$/gm)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

async function startStore(
  compose: string,
  directory: string,
): Promise<{ url: string; child: ChildProcess }> {
  const [, block = ''] = /^ {4}command:\n((?: {6}[-#] .*\n)+)/m.exec(compose) ?? []
  const port = await freePort()
  const [command = '', ...args] = [...block.matchAll(/^ {6}- (.*)$/gm)].map(([, word = '']) => word)
  const own = args.map((word) =>
    word
      .replace(/^--port=.*/, `--port=${port}`)
      .replace('0.0.0.0', '127.0.0.1')
      .replace('=/store', `=${join(directory, 'store')}`),
  )
  // npx starts the store as a child, so both are killed by their process group.
  const child = spawn(command, own, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error('The store ended.')))
    child.stdout.on('data', (part) => String(part).includes('S3rver listening') && resolve())
  })
  return { url: `http://127.0.0.1:${port}`, child }
}

/** nginx with the file that the compose file mounts. */
export async function startProxy(path: string, nodes: readonly Container[]): Promise<Nginx> {
  const port = await freePort()
  const lines = nodes.reduce(
    (text, { url }, at) => text.replace(`10.89.0.1${at + 1}:8080`, new URL(url).host),
    readFileSync(path, 'utf8'),
  )
  return runNginx(port, lines.replace('listen 80;', `listen 127.0.0.1:${port};`))
}
