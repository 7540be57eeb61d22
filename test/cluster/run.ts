// npm run test:cluster installs missing services (Debian, as root) and runs the tests that need
// them. Words select parts by name: `npm run test:cluster -- ceph`.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPlain } from './plain-s3.ts'
import type { RealStore } from './real-store.ts'

interface Part {
  readonly name: string
  readonly programs: readonly string[]
  readonly packages: readonly string[]
  readonly store: RealStore
  /** The script of the database that runs beside the service. */
  readonly database?: string
  readonly tests: readonly string[]
}

const BUCKET = 'cms'
/** The timeout of a test; a long run of faults takes hours. */
const MOST_MS = 12 * 3_600_000
const PARTS: Part[] = [
  {
    name: 'ceph',
    programs: ['radosgw', 'ceph-osd', 'ceph-mgr', 'ceph-mon', 'curl'],
    packages: ['ceph-mon', 'ceph-mgr', 'ceph-osd', 'ceph-common', 'radosgw', 'curl'],
    store: {
      name: 'Ceph',
      bucket: BUCKET,
      endpoint: 'http://127.0.0.1:26781',
      gateways: ['http://127.0.0.1:26781', 'http://127.0.0.1:26782'],
      accessKeyId: 'AKIDTEST',
      secretAccessKey: 'SECRETTEST',
      script: scriptOf('ceph.sh'),
    },
    tests: ['contents.test.js', 'contents-kills.test.js'],
  },
  {
    name: 'swift',
    programs: ['swift-proxy-server', 'swift-object-server', 'curl'],
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'curl'],
    store: {
      name: 'Swift',
      bucket: BUCKET,
      endpoint: 'http://127.0.0.1:26681',
      gateways: ['http://127.0.0.1:26681', 'http://127.0.0.1:26682'],
      accessKeyId: 'test:tester',
      secretAccessKey: 'testing',
      script: scriptOf('swift.sh'),
    },
    tests: ['contents.test.js'],
  },
]
const [ceph] = PARTS
if (ceph !== undefined)
  PARTS.push({
    ...ceph,
    name: 'whole',
    programs: [...ceph.programs, 'patroni', 'etcd', 'ip', 'nginx', 'faketime'],
    packages: [
      ...ceph.packages,
      'postgresql-15',
      'patroni',
      'etcd-server',
      'iproute2',
      'nginx',
      'faketime',
    ],
    database: scriptOf('patroni.sh'),
    tests: ['whole.test.js'],
  })

const words = process.argv.slice(2)
const wanted = PARTS.filter(({ name }) => words.length === 0 || words.includes(name))
process.exitCode = wanted.length === 0 ? 1 : 0
for (const part of wanted) if (!(await run(part))) process.exitCode = 1

/** Scripts are not compiled, so they stay in the source tree. */
function scriptOf(name: string): string {
  return fileURLToPath(new URL(`../../../test/cluster/${name}`, import.meta.url))
}

async function run({ name, programs, packages, store, database, tests }: Part): Promise<boolean> {
  install(programs, packages)
  const data = mkdtempSync(join(tmpdir(), `cms-${name}-`))
  const env = { ...process.env, DATA: data }
  // PostgreSQL runs as its own user, which needs access to the directory.
  chmodSync(data, 0o755)
  const scripts = [store.script, database].filter((script) => script !== undefined)
  try {
    for (const script of scripts)
      if (spawnSync('bash', [script, 'up'], { env, stdio: 'inherit' }).status !== 0)
        throw new Error(`${script} does not start: ${data}.log`)
    await openPlain(store).makeBucket()
    const files = tests.map((file) => fileURLToPath(new URL(file, import.meta.url)))
    const told = { ...env, CMS_TEST_S3: JSON.stringify(store), CMS_TEST_DATABASE: database }
    const args = ['--test', '--test-concurrency=1', `--test-timeout=${MOST_MS}`, ...files]
    return spawnSync(process.execPath, args, { env: told, stdio: 'inherit' }).status === 0
  } finally {
    for (const script of scripts) spawnSync('bash', [script, 'down'], { env, stdio: 'inherit' })
    rmSync(data, { recursive: true, force: true })
  }
}

function install(programs: readonly string[], packages: readonly string[]): void {
  const isThere = (program: string): boolean =>
    spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  if (programs.every(isThere)) return
  const args = ['install', '-y', '--no-install-recommends', ...packages]
  const { status } = spawnSync('apt-get', args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`Install these packages: ${packages.join(' ')}`)
}
