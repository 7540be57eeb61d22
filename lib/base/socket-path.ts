// The path of a Unix socket has at most 107 bytes, but a data directory may lie deeper.

import { closeSync, constants, openSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface SocketPath {
  /** Path to pass to the system. */
  readonly path: string
  close(): void
}

/** Opens the parent directory of the socket, so that /proc/self/fd gives it a short path. */
export function openSocketPath(direct: string): SocketPath {
  if (process.platform !== 'linux' || Buffer.byteLength(direct) < 100)
    return { path: direct, close: () => undefined }
  const fd = openSync(dirname(direct), constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: join(`/proc/self/fd/${fd}`, basename(direct)), close: () => closeSync(fd) }
}
