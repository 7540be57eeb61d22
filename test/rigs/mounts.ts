// Small file systems for the rigs: tmpfs, and ext4 in an image in memory. They need root and a
// kernel with loop devices; otherwise whyNoMounts() gives the reason.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Mounts {
  /** Mounts an empty tmpfs of this size and returns its directory. */
  tmpfs(sizeMb: number): string
  /** Mounts a new ext4 image; `mkfs` has further arguments, for example `-N 600` for few inodes. */
  ext4(image: Image): string
  /** Makes an ext4 file system and mounts it on an existing directory. */
  ext4On(directory: string, image: Image): void
  mount(imagePath: string, directory: string, options?: string): void
  unmount(directory: string): void
  /** Unmounts and removes all file systems. */
  close(): void
}

export interface Image {
  readonly path: string
  readonly sizeMb: number
  readonly mkfs?: readonly string[]
  readonly options?: string
}

let reason: { readonly text: string | undefined } | undefined

export function whyNoMounts(): string | undefined {
  reason ??= { text: tryMounts() }
  return reason.text
}

export function openMounts(): Mounts {
  const root = mkdtempSync(join(tmpdir(), 'cms-mount-'))
  const mounted: string[] = []
  let count = 0

  function newPoint(): string {
    count += 1
    const point = join(root, String(count))
    mkdirSync(point)
    return point
  }

  function mountAt(point: string, args: readonly string[]): string {
    run('mount', [...args, point])
    mounted.push(point)
    return point
  }

  const loop = (options?: string) => ['-o', options === undefined ? 'loop' : `loop,${options}`]
  const mounts: Mounts = {
    tmpfs: (sizeMb) => mountAt(newPoint(), ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs']),
    ext4(image) {
      const point = newPoint()
      mounts.ext4On(point, image)
      return point
    },
    mount: (path, directory, options) => void mountAt(directory, [...loop(options), path]),
    ext4On(directory, { path, sizeMb, mkfs = [], options }) {
      writeFileSync(path, '')
      truncateSync(path, sizeMb * 1024 * 1024)
      run('mkfs.ext4', ['-q', '-F', ...mkfs, path])
      mountAt(directory, [...loop(options), path])
    },
    unmount(directory) {
      unmountFree(directory)
      mounted.splice(mounted.lastIndexOf(directory), 1)
    },
    close() {
      process.off('exit', leaveNothing)
      for (const point of mounted.toReversed()) unmountFree(point)
      rmSync(root, { recursive: true, force: true })
    },
  }
  // Cleans up after an interrupted run, whose servers may still use the file systems.
  function leaveNothing(): void {
    for (const point of mounted.toReversed()) run('umount', ['--lazy', point])
    rmSync(root, { recursive: true, force: true })
  }
  process.once('exit', leaveNothing)
  return mounts
}

function tryMounts(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounts need root'
  const mounts = openMounts()
  try {
    mounts.ext4({ path: join(mounts.tmpfs(8), 'image'), sizeMb: 4 })
    return undefined
  } catch (error) {
    return `there are no loop mounts here: ${(error as Error).message}`
  } finally {
    mounts.close()
  }
}

const BUSY_TRIES = 100

/**
 * The kernel closes the files of a process a moment after the process has ended, so unmounting is
 * retried.
 */
function unmountFree(point: string): void {
  for (let left = BUSY_TRIES; ; left--) {
    try {
      return run('umount', [point])
    } catch (error) {
      if (left === 0 || !String(error).includes('busy')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

function run(command: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command}: ${stderr.trim()}`)
}
