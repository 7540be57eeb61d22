// A real nginx in front of a server, if installed, with the configuration of docs/reverse-proxy.md or of a
// test.

import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, temporaryDirectory } from './server.ts'

const isMissing = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).error !== undefined

export const NO_NGINX = isMissing ? 'nginx is not installed' : false

export interface Nginx {
  readonly url: string
  /** Sends SIGHUP, which makes nginx reload its configuration. */
  reload(): void
  close(): Promise<void>
}

const documented = (line: string): string => documentedIn('reverse-proxy.md', line)

/** The code block of the guide that contains this line, unchanged. */
export function documentedIn(guide: string, line: string): string {
  const path = fileURLToPath(new URL(`../../../docs/${guide}`, import.meta.url))
  const blocks = readFileSync(path, 'utf8').matchAll(/```nginx\n([^]*?)```/g)
  const found = [...blocks].map(([, text]) => text ?? '').find((text) => text.includes(line))
  if (found === undefined) throw new Error(`docs/${guide} has no such block: ${line}`)
  return found
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Target {
  readonly url: string
  readonly dataDir: string
}

function documentedServer(target: Target, port: number): string {
  const main = documented('upstream cms {')
    .replace('127.0.0.1:8080', new URL(target.url).host)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_certificate.*$/gm, '')
    .replace('proxy_pass http://cms;', `proxy_pass http://cms;\n${documented('X-Sendfile-Type')}`)
  const internal = documented('internal;').replace('/var/lib/cms-server/', `${target.dataDir}/`)
  return main.replace(/\}\s*$/, `${internal}\n}`)
}

/** The configuration of docs/website.md for a live tree, without TLS. */
export function treeConfig(port: number, liveTree: string): string {
  const server = documentedIn('website.md', 'map $uri $cms_moved_file {')
    .replaceAll('/srv/website', liveTree)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_certificate.*$/gm, '')
  return `include /etc/nginx/mime.types; default_type application/octet-stream;\n${server}`
}

/** Uses these lines for all addresses instead of the documented configuration, if given. */
export async function startNginx(target: Target, lines?: string): Promise<Nginx> {
  const port = await freePort()
  const server =
    lines === undefined
      ? documentedServer(target, port)
      : `server { listen 127.0.0.1:${port}; location / { ${lines} } }`
  return runNginx(port, server)
}

/**
 * Starts nginx with a configuration that listens on this port; resolves when the server behind
 * nginx answers.
 */
export async function runNginx(port: number, server: string): Promise<Nginx> {
  const dir = temporaryDirectory()
  const names = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = names.map((name) => `${name}_temp_path ${join(dir, name)};`).join('\n')
  mkdirSync(join(dir, 'logs'))
  // Only the user who runs the tests can read the contents, so nginx runs as that user.
  const user = process.getuid?.() === 0 ? `user ${userInfo().username};` : ''
  const config = `${user}
daemon off; worker_processes 1; pid ${join(dir, 'pid')}; error_log ${join(dir, 'error.log')};
events {}
http { access_log off; ${temporary}
${server}`
  writeFileSync(join(dir, 'nginx.conf'), `${config}\n}`)
  const child = spawn('nginx', [
    '-p',
    dir,
    '-e',
    join(dir, 'error.log'),
    '-c',
    join(dir, 'nginx.conf'),
  ])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  while (!(await send(url, 'GET', '/health', {}).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(dir, 'error.log'), 'utf8'))
    await sleep(20)
  }
  return {
    url,
    reload: () => void child.kill('SIGHUP'),
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(dir, { recursive: true })
    },
  }
}
