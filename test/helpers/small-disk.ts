// File systems in memory of a size to fill: for tests of what happens when there is no room. They need
// the right to mount, so such tests say why they are skipped where there is none.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDirectory } from './data-directory.ts'

const mounted: string[] = []

export interface DiskSize {
  readonly mb: number
  /** Files and directories that it takes. */
  readonly inodes?: number
}

/** Why small disks cannot be made here; false where they can. */
export function whyNoDisks(): string | false {
  const path = newDataDirectory()
  try {
    mountDisk(path, { mb: 1 })
    return false
  } catch {
    return 'needs the right to mount a file system in memory'
  } finally {
    unmountDisks()
  }
}

export function mountDisk(path: string, size: DiskSize): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', optionsOf(size), 'tmpfs', path], { stdio: 'pipe' })
  mounted.unshift(path)
}

/** Gives a mounted disk another size, while it is used. */
export function resizeDisk(path: string, size: DiskSize): void {
  execFileSync('mount', ['-o', `remount,${optionsOf(size)}`, path], { stdio: 'pipe' })
}

/** Those that were mounted last first: they may lie in others. */
export function unmountDisks(): void {
  for (const path of mounted.splice(0)) execFileSync('umount', ['--lazy', path])
}

/** Leaves a mounted disk room for so many more files. */
export function limitFiles(path: string, count: number): void {
  const { files, ffree } = statfsSync(path)
  resizeDisk(path, { mb: 64, inodes: files - ffree + count })
}

/** Takes room until so much is left; what it returns gives it back. */
export function fillDisk(path: string, leftBytes: number): () => void {
  const { bavail, bsize } = statfsSync(path)
  const filler = join(path, '.filler')
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)))
  return () => rmSync(filler, { force: true })
}

function optionsOf({ mb, inodes = 10_000 }: DiskSize): string {
  return `size=${mb}m,nr_inodes=${inodes},mode=0700`
}
