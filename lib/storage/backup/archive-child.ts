// Runs in a child process: takes a snapshot of a data directory that a server owns and holds. The snapshot is written to
// stdout as a tar file that unpacks to a backup. backup.json is the last entry: a truncated archive has none.

import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { relative } from 'node:path'
import { createTarPacker, type TarPackController } from 'modern-tar'
import { CmsError } from '../../base/errors.ts'
import { type AssetFileVersion, contentNameOf } from '../../schema/asset-file.ts'
import { FILE_MODE, openIfThere, readChunks } from '../../workers/files.ts'
import type { ChildReply } from './archive.ts'
import { describeBackup } from './backup.ts'
import { toCmsError } from '../embedded/file-errors.ts'
import { contentPath, type DataPaths, dataPathsOf, SHARDS } from '../embedded/data-paths.ts'
import { FORMAT } from '../embedded/upgrade-steps.ts'
import { copyMoment, type Moment } from './moment.ts'
import { nameOf } from '../integrity/verify-contents.ts'

// By default Node would open its inspector.
process.on('SIGUSR1', () => undefined)

const READ_BYTES = 512 * 1024

interface Pack {
  readonly controller: TarPackController
  /** Directory to which the archive unpacks. */
  readonly root: string
  readonly mtime: Date
}

async function run(from: DataPaths, scratch: DataPaths): Promise<void> {
  const moment = await copyMoment(from, scratch)
  await reply({ moment: moment.moment })
  const { readable, controller } = createTarPacker()
  const root = `cms-backup-${moment.moment.replaceAll(':', '-')}`
  const pack = { controller, root, mtime: new Date(moment.moment) }
  await Promise.all([packMoment(pack, moment, { from, scratch }), send(readable)])
  await moment.close()
}

async function packMoment(
  pack: Pack,
  moment: Moment,
  { from, scratch }: { readonly from: DataPaths; readonly scratch: DataPaths },
): Promise<void> {
  for (const name of ['', 'records/', ...SHARDS.map((shard) => `${shard}/`)])
    await packDirectory(pack, name)
  await packJson(pack, 'instance.json', { format: FORMAT, uuid: moment.uuid })
  await packFile(pack, 'records/data.mdb', openSync(scratch.dataFile, 'r'))

  const faults: string[] = []
  const done = { count: 0, bytes: 0 }
  for (const versions of moment.files()) {
    for (const version of versions) {
      const outcome = await packContent(pack, from, version)
      if (outcome === 'packed') {
        done.count += 1
        done.bytes += version.size
      } else if (!version.damaged) faults.push(`${nameOf(version)}: the bytes are ${outcome}.`)
    }
  }
  await packJson(pack, 'backup.json', describeBackup(moment, { ...done, faults }))
  pack.controller.finalize()
}

/** Compares the bytes before the first one is packed: bytes in a tar stream cannot be taken back. */
async function packContent(
  pack: Pack,
  from: DataPaths,
  version: AssetFileVersion,
): Promise<'packed' | 'missing' | 'wrong'> {
  const path = contentPath(from, contentNameOf(version))
  const fd = openIfThere(path)
  if (fd === undefined) return 'missing'
  const isRight = fstatSync(fd).size === version.size && hashOf(fd) === version.sha256
  if (isRight) await packFile(pack, relative(from.dataDir, path), fd)
  else closeSync(fd)
  return isRight ? 'packed' : 'wrong'
}

function hashOf(fd: number): string {
  const hash = createHash('sha256')
  readChunks(fd, (chunk) => hash.update(chunk))
  return hash.digest('hex')
}

async function packDirectory({ controller, root, mtime }: Pack, name: string): Promise<void> {
  const header = { name: `${root}/${name}`, size: 0, mode: 0o700, mtime }
  await controller.add({ ...header, type: 'directory' }).close()
}

async function packJson(pack: Pack, name: string, value: object): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`)
  await packBytes(pack, { name, size: bytes.length }, [bytes])
}

/** Closes the file. */
async function packFile(pack: Pack, name: string, fd: number): Promise<void> {
  try {
    await packBytes(pack, { name, size: fstatSync(fd).size }, eachChunk(fd))
  } finally {
    closeSync(fd)
  }
}

async function packBytes(
  { controller, root, mtime }: Pack,
  { name, size }: { readonly name: string; readonly size: number },
  chunks: Iterable<Uint8Array>,
): Promise<void> {
  const header = { name: `${root}/${name}`, size, mode: FILE_MODE, mtime }
  const writer = controller.add(header).getWriter()
  for (const chunk of chunks) await writer.write(chunk)
  await writer.close()
}

/** Allocates each chunk separately, because the packer passes it on without copying. */
function* eachChunk(fd: number): Generator<Uint8Array> {
  let position = 0
  for (;;) {
    const chunk = Buffer.allocUnsafeSlow(READ_BYTES)
    const length = readSync(fd, chunk, 0, chunk.length, position)
    if (length === 0) return
    yield chunk.subarray(0, length)
    position += length
  }
}

async function send(readable: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of readable) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
  }
}

function reply(message: ChildReply): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()))
  })
}

/** The answer of the server. Paths stay in the cause, which only the log of the server shows. */
function refusalOf(error: unknown): ChildReply {
  const cause = String(error)
  try {
    return toCmsError(error)
  } catch (known) {
    if (known instanceof CmsError) return { code: known.code, detail: known.message, cause }
    const detail = 'The backup could not be made. The log of the server has the reason.'
    return { code: 'internal', detail, cause }
  }
}

// The archive is useless without its server.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const [dataDir = '', scratch = ''] = process.argv.slice(2)
run(dataPathsOf(dataDir), dataPathsOf(scratch))
  .then(
    () => reply({ isWhole: true }),
    (error: unknown) => reply(refusalOf(error)),
  )
  .finally(() => process.exit())
