// The image of the Dockerfile, built and run without Docker. The server is PID 1 of a namespace, with a read-only root, under any
// user and without capabilities. `npm run rig:image` runs this test: root, mmdebstrap and the package registries are needed.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BIN } from '../helpers/child-server.ts'
import { SEED } from '../helpers/seed.ts'
import { requireForms } from '../helpers/pictures.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'
import { buildImage, type Image } from './image/build.ts'
import { childrenOf, type Container, runContainer, startContainer } from './image/container.ts'
import { startBackends, startProxy } from './image/cluster.ts'
import { compare, compareAll, newKnown } from './known-files.ts'
import { CLIENTS, untilAcknowledged, writeUntilKilled } from './load.ts'
import { openRandom } from './random.ts'

const PROJECT = dirname(dirname(BIN))
const PROGRAM = 'opt/cms-server'
/** A user without a name in the image. */
const ANY_UID = 54_321

/** Without a trash, each deletion removes its contents. */
const NO_TRASH = { CMS_TRASH_DAYS: '0' }
const KILLS = 5
const WRITES = 40

const skip = whySkipped()
const directory = temporaryDirectory()
const running = new Set<Container>()
let image: Image

function whySkipped(): string | false {
  if (process.env['CMS_RIG'] !== 'full') return 'runs by npm run rig:image'
  if (process.getuid?.() !== 0) return 'namespaces need root'
  const isMissing = spawnSync('mmdebstrap', ['--version']).error !== undefined
  return isMissing ? 'mmdebstrap is not installed' : false
}

before(() => {
  if (skip === false) image = buildImage(PROJECT, directory)
})
after(async () => {
  for (const container of running) await container.stop('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

/** A new volume has the owner and the mode of the directory in the image. */
function newVolume(name: string): string {
  const volume = join(directory, name)
  mkdirSync(volume)
  const { uid, gid, mode } = statSync(join(image.root, image.volume))
  chownSync(volume, uid, gid)
  chmodSync(volume, mode)
  return volume
}

async function start(volume: string, uid: number, env = {}): Promise<Container> {
  const container = await startContainer(image, { uid, volume, env: { CMS_PORT: '0', ...env } })
  running.add(container)
  return container
}

async function stop(container: Container, signal: NodeJS.Signals): Promise<number | null> {
  running.delete(container)
  return container.stop(signal)
}

function execute(container: Container, ...command: readonly string[]): string {
  const { status, stdout, stderr } = container.exec(...command)
  assert.equal(status, 0, `${command.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** The identifier of each package in a node_modules: pkg:npm/NAME@VERSION. */
function packagesIn(path: string): readonly string[] {
  const found = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(?:@[^/]+\/)?[^/]+\/(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)*package\.json$/.test(name),
  )
  return found.map((name) => {
    const { name: own, version } = JSON.parse(readFileSync(join(path, name), 'utf8'))
    return `pkg:npm/${String(own).replace('@', '%40')}@${version}`
  })
}

describe('the image', { skip }, () => {
  test('is described by a Dockerfile without findings of the linter', () => {
    execFileSync('npx', ['--yes', 'dockerfile-utils@0.16.3', 'lint', join(PROJECT, 'Dockerfile')])
  })

  test('contains the program and Node.js, and neither npm nor sources', () => {
    assert.deepEqual(readdirSync(join(image.root, PROGRAM)).toSorted(), [
      'LICENSE',
      'bin',
      'dist',
      'node_modules',
      'package.json',
      'sbom.cdx.json',
    ])
    for (const name of ['npm', 'npx', 'corepack', 'gcc', 'python3', 'curl'])
      assert.ok(!existsSync(join(image.root, 'usr/bin', name)), name)
    assert.ok(!existsSync(join(image.root, 'var/lib/apt/lists/lock')))
    const version = execFileSync('chroot', [image.root, 'node', '--version'], { encoding: 'utf8' })
    assert.match(version, /^v(?:20\.(?:19|[2-9]\d)|2[1-9])\./)
  })

  test('contains code that its own Node.js has compiled', () => {
    const check = `
      const { compile } = require('/${PROGRAM}/bin/load-program')
      console.log(compile('/${PROGRAM}/dist/server/main.js').cachedDataRejected)`
    const told = execFileSync('chroot', [image.root, 'node', '-e', check], { encoding: 'utf8' })
    assert.equal(told, 'false\n')
  })

  test('lists exactly its packages as CycloneDX', () => {
    const path = join(image.root, PROGRAM, 'sbom.cdx.json')
    const { bomFormat, specVersion, serialNumber, metadata, components, dependencies } = JSON.parse(
      readFileSync(path, 'utf8'),
    )
    assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'cms-server'])
    assert.match(specVersion, /^1\.\d$/)
    assert.match(serialNumber, /^urn:uuid:[\da-f-]{36}$/)
    assert.ok(dependencies.length > components.length)
    const listed = (components as { purl: string }[]).map(({ purl }) => purl)
    const installed = packagesIn(join(image.root, PROGRAM, 'node_modules'))
    assert.ok(installed.length > 50)
    assert.deepEqual(new Set(listed), new Set(installed))
  })

  for (const uid of [undefined, ANY_UID])
    test(`serves from a volume with a read-only root as user ${uid ?? 'of the image'}`, async () => {
      const user = uid ?? image.uid
      const volume = newVolume(`volume-${uid}`)
      const container = await start(volume, user)
      const { port } = new URL(container.url)
      const at = (...args: string[]) => execute(container, 'env', `CMS_PORT=${port}`, ...args)
      assert.match(at(...image.healthcheck), /\/health 200 ok\n$/)
      assert.match(at('cms-server', 'health', '--ready'), /\/ready 200 ready\n$/)
      assert.equal(execute(container, 'id', '-u').trim(), String(user))
      assert.notEqual(container.exec('touch', `/${PROGRAM}/file`).status, 0)
      const key = execute(container, 'cms-server', 'key', 'create', '--name', 'first').trim()
      const json = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: '<p>' }
      assert.equal(
        (await send(container.url, 'POST', '/api/v2/asset_file', { key, json })).status,
        201,
      )
      await requireForms(container.url, key)
      execute(container, 'cms-server', 'backup', '/tmp/series', '--keep', '2')
      await assert.rejects(start(volume, user), /Another cms-server owns/)
      assert.equal(await stop(container, 'SIGTERM'), 0)
      const owners = execFileSync('find', [volume, '-mindepth', '1', '-not', '-user', String(user)])
      assert.equal(owners.toString(), '')
    })

  test('reaps a child process that exits and replaces it', async () => {
    const container = await start(newVolume('reaped'), ANY_UID, { CMS_PROCESSES: '3' })
    const [killed] = childrenOf(container.pid)
    assert.ok(killed)
    process.kill(killed.pid, 'SIGKILL')
    for (;;) {
      const children = childrenOf(container.pid)
      const isReaped = children.every(({ pid, state }) => pid !== killed.pid && state !== 'Z')
      if (isReaped && children.length === 2) break
      await sleep(50)
    }
    assert.equal(await stop(container, 'SIGTERM'), 0)
  })

  test(`loses no acknowledged change in ${KILLS} kills under load (TEST_SEED=${SEED})`, async () => {
    const volume = newVolume('killed')
    const random = openRandom(SEED).next
    const known = newKnown()
    let container = await start(volume, ANY_UID, NO_TRASH)
    const key = execute(container, 'cms-server', 'key', 'create', '--name', 'load').trim()
    for (let kills = 0; kills < KILLS; kills += 1) {
      const load = Array.from({ length: CLIENTS }, () =>
        writeUntilKilled({ url: container.url, key, known, random }),
      )
      await untilAcknowledged(known, known.acknowledged + 1 + random() * WRITES)
      await stop(container, 'SIGKILL')
      await Promise.all(load)
      container = await start(volume, ANY_UID, NO_TRASH)
      await compare({ url: container.url, key }, known, { clients: CLIENTS, random })
    }
    await compareAll({ url: container.url, key }, known, { clients: 0, dataDir: volume })
    assert.equal(await stop(container, 'SIGTERM'), 0)
    const told = runContainer(image, { uid: ANY_UID, volume }, ['check'])
    assert.match(told, /\nNo faults found\.\n$/)
  })

  test('runs as three nodes with the settings of compose.cluster.yaml', async () => {
    const compose = readFileSync(join(PROJECT, 'compose.cluster.yaml'), 'utf8')
    const backends = await startBackends(compose, image, directory)
    try {
      await useCluster(backends.env)
    } finally {
      for (const container of running) await stop(container, 'SIGKILL')
      backends.close()
    }
  })
})

async function useCluster(env: Readonly<Record<string, string>>): Promise<void> {
  const nodes: Container[] = []
  for (const name of ['node1', 'node2', 'node3'])
    nodes.push(await start(newVolume(name), image.uid, env))
  const [first, second] = nodes
  assert.ok(first && second)
  const nginx = await startProxy(join(PROJECT, 'packaging/cluster/nginx.conf'), nodes)
  const key = execute(first, 'cms-server', 'key', 'create', '--name', 'first').trim()
  const text = '<p>a</p>'
  const page = { name: 'a.html', type: 'html', pageContent: text, fileState: 'publish' }
  const json = { ...page, parent_category_id: 1 }
  const made = await send(nginx.url, 'POST', '/api/v2/asset_file', { key, json })
  assert.equal(made.status, 201, made.text)
  const path = `/file/${made.body.asset_file_id}/a.html`
  for (const { url } of nodes) assert.equal((await send(url, 'GET', path, { key })).text, text)
  await stop(second, 'SIGKILL')
  for (let asked = 0; asked < 6; asked += 1)
    assert.equal((await send(nginx.url, 'GET', path, { key })).text, text)
  await nginx.close()
  for (const node of nodes.filter((item) => item !== second))
    assert.equal(await stop(node, 'SIGTERM'), 0)
}
