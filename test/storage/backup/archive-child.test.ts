// The child process that makes an archive, without the server that starts it: how the child ends,
// and which files it holds open meanwhile.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import {
  contentsIn,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { addContent, copySite, makeSite, type Site } from '../../helpers/site.ts'

const SCRIPT = fileURLToPath(
  new URL('../../../lib/storage/backup/archive-child.js', import.meta.url),
)
/** Larger than all buffers between two processes. */
const LARGE_BYTES = 8 * 1024 * 1024
const LIMIT = { timeout: 30_000 }

let site: Site
before(async () => {
  site = await makeSite()
})
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  removeDataDirectories()
})

interface Started {
  readonly child: ChildProcess
  readonly messages: readonly object[]
  readonly scratch: string
  readonly stderr: () => string
}

function start(dataDir: string): Started {
  const scratch = newDataDirectory()
  const child = fork(SCRIPT, [dataDir, scratch], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  children.push(child)
  const messages: object[] = []
  child.on('message', (message) => messages.push(message as object))
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return { child, messages, scratch, stderr: () => stderr }
}

test('it exits after sending everything and leaves the copy without locks', LIMIT, async () => {
  const { child, messages, scratch } = start(copySite(site.dataDir))
  child.stdout?.resume()
  const [code, signal] = await once(child, 'exit')
  assert.deepEqual([code, signal], [0, null])
  assert.deepEqual(
    messages.map((message) => Object.keys(message)),
    [['moment'], ['isWhole']],
  )
  assert.deepEqual(readdirSync(dataPathsOf(scratch).records), ['data.mdb'])
})

test('it exits with its server, even while it waits for a disk', LIMIT, async () => {
  const dataDir = copySite(site.dataDir)
  const { instance } = dataPathsOf(dataDir)
  rmSync(instance)
  // A FIFO without a writer blocks its reader.
  execFileSync('mkfifo', [instance])
  const { child, scratch } = start(dataDir)
  assert.ok(await eventually(() => existsSync(dataPathsOf(scratch).dataFile)))
  const ended = once(child, 'exit')
  child.disconnect()
  assert.deepEqual(await ended, [null, 'SIGKILL'])
})

test('it opens no inspector and closes each file that it does not send', LIMIT, async () => {
  const dataDir = copySite(site.dataDir)
  for (const path of contentsIn(dataDir)) writeFileSync(path, 'others')
  const large = await addContent(dataDir, {
    fileId: site.fileIds[0] ?? 0,
    bytes: Buffer.alloc(LARGE_BYTES, 'x'),
  })
  const { child, messages, stderr } = start(dataDir)
  assert.ok(await eventually(() => openIn(child).includes(large)))
  assert.deepEqual(
    openIn(child).filter((path) => path.startsWith(dirname(dirname(large)))),
    [large],
  )

  child.kill('SIGUSR1')
  child.stdout?.resume()
  const [code] = await once(child, 'close')
  assert.deepEqual([code, messages.at(-1), stderr()], [0, { isWhole: true }, ''])
})

/** Paths of the open files of the process. */
function openIn({ pid }: ChildProcess): readonly string[] {
  const directory = `/proc/${pid}/fd`
  return readdirSync(directory).flatMap((fd) => {
    try {
      return [readlinkSync(join(directory, fd))]
    } catch (error) {
      // The descriptor was closed after the directory was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })
}
