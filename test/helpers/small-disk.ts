// In-memory file systems with a limited size, for tests of full disks. They need permission to mount; without
// it, the tests are skipped with a reason.

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataDirectory } from './data-directory.ts'

const mounted: string[] = []

export interface DiskSize {
  readonly mb: number
  /** Maximum number of files and directories. */
  readonly inodes?: number
}

/** The reason why no small disk can be mounted here; false if one can. */
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

/** Resizes a mounted disk in use. */
export function resizeDisk(path: string, size: DiskSize): void {
  execFileSync('mount', ['-o', `remount,${optionsOf(size)}`, path], { stdio: 'pipe' })
}

/** Unmounts in reverse order, because later disks may be mounted inside earlier ones. */
export function unmountDisks(): void {
  for (const path of mounted.splice(0)) execFileSync('umount', ['--lazy', path])
}

/** Leaves room for this number of additional files on a mounted disk. */
export function limitFiles(path: string, count: number): void {
  const { files, ffree } = statfsSync(path)
  resizeDisk(path, { mb: 64, inodes: files - ffree + count })
}

/** Fills the disk until this number of bytes is free; the returned function frees the space. */
export function fillDisk(path: string, leftBytes: number): () => void {
  const { bavail, bsize } = statfsSync(path)
  const filler = join(path, '.filler')
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)))
  return () => rmSync(filler, { force: true })
}

function optionsOf({ mb, inodes = 10_000 }: DiskSize): string {
  return `size=${mb}m,nr_inodes=${inodes},mode=0700`
}
