// Stores the compiled code of the program beside it (load-program), with the functions that a start calls: the program
// starts here once, on an empty data directory. Only the Node that runs this script can use the code. Therefore the build, the
// Debian package and the last stage of the Dockerfile run this script.

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

/** @type {{ cacheOf(file: string): string, compile(file: string): import("node:vm").Script, run(script: object, file: string): void }} */
const { cacheOf, compile, run } = createRequire(import.meta.url)('./load-program')
const program = fileURLToPath(new URL('../dist/server/main.js', import.meta.url))
const data = mkdtempSync(join(tmpdir(), 'cms-code-cache-'))
process.once('exit', () => rmSync(data, { recursive: true, force: true }))

const flags = ['--port', '0', '--processes', '1', '--log-level', 'warn']
process.argv.splice(2, Number.POSITIVE_INFINITY, 'start', '--data', data, ...flags)
// V8 accepts compiled code only under the flags under which the code was stored. The server sets flags once it listens.
v8.setFlagsFromString = () => undefined

const script = compile(program)
// The server prints its address once it listens.
process.stdout.write = () => {
  process.stdout.write = () => true
  // The server creates files that only their owner can read.
  process.umask(0o022)
  const part = `${cacheOf(program)}.part`
  writeFileSync(part, script.createCachedData())
  // A program that starts meanwhile reads the whole code, the old or the new one.
  renameSync(part, cacheOf(program))
  process.kill(process.pid, 'SIGTERM')
  return true
}
run(script, program)
