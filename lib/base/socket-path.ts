// The address of a Unix socket may have 107 bytes; a data directory may lie deeper.

import { closeSync, constants, openSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface SocketPath {
  /** What the system takes. */
  readonly path: string
  close(): void
}

/** The descriptor of its directory gives a socket a short name that leads to the same place. */
export function openSocketPath(direct: string): SocketPath {
  if (process.platform !== 'linux' || Buffer.byteLength(direct) < 100)
    return { path: direct, close: () => undefined }
  const fd = openSync(dirname(direct), constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: join(`/proc/self/fd/${fd}`, basename(direct)), close: () => closeSync(fd) }
}
