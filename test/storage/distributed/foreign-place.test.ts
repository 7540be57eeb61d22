// A start, a check and a move never mistake an empty place, or the place of another site, for the
// place of an existing site. Operators get there by mistyping a variable.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ClusterSettings } from '../../../lib/config/cluster-settings.ts'
import { startBreakingS3 } from '../../helpers/breaking-s3.ts'
import { killChildren, makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import { startCluster, variablesOf } from '../../helpers/cluster.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { query } from '../../helpers/postgres.ts'
import { send } from '../../helpers/server.ts'

const cluster = await startCluster()
const otherStore = await startBreakingS3()
after(async () => {
  await killChildren()
  await otherStore.close()
  removeDataDirectories()
})

const NO_MARK = /The bucket does not hold the contents of this site: instance\.json is missing\./
/** Too large to be stored inline in a commit. */
const LARGE = 'x'.repeat(300_000)

function startNode(place: ClusterSettings) {
  return startChild(newDataDirectory(), [], { env: variablesOf(place) })
}

function refusedStart(place: ClusterSettings) {
  const args = ['start', '--port', '0', '--data', newDataDirectory()]
  return runCli(args, { env: variablesOf(place) })
}

function within(place: ClusterSettings, store: Partial<ClusterSettings['store']>): ClusterSettings {
  return { ...place, store: { ...place.store, ...store } }
}

function keysUnder(prefix: string | undefined): readonly string[] {
  return [...cluster.store.objects.keys()].filter((key) => key.startsWith(prefix ?? '-'))
}

/** Makes a site with a content in the store; no node of the site is running. */
async function makeSite(): Promise<ClusterSettings> {
  const place = await cluster.newSite()
  const dataDir = newDataDirectory()
  const node = await startChild(dataDir, [], { env: variablesOf(place) })
  const key = await makeKey(dataDir)
  const json = { name: 'a.html', type: 'html', parent_category_id: 1, pageContent: LARGE }
  const made = await send(node.url, 'POST', '/api/v2/asset_file', { key, json })
  assert.equal(made.status, 201, made.text)
  await node.kill('SIGTERM')
  return place
}

const site = await makeSite()

test('a node with the prefix, bucket or store of another site is refused and leaves nothing there', async () => {
  const wrong: readonly (readonly [Partial<ClusterSettings['store']>, RegExp])[] = [
    [{ prefix: 'mistyped/' }, NO_MARK],
    [{ endpoint: otherStore.endpoint }, NO_MARK],
    [{ bucket: 'other' }, /NoSuchBucket/],
  ]
  for (const [store, said] of wrong) {
    const { code, stderr } = await refusedStart(within(site, store))
    assert.equal(code, 65, stderr)
    assert.match(stderr, said)
    const check = await runCli(['check', 'cluster', '--repair'], {
      env: variablesOf(within(site, store)),
    })
    assert.equal(check.code, 65, check.stderr)
    assert.match(check.stderr, said)
  }
  assert.deepEqual([keysUnder('mistyped/'), otherStore.objects.size], [[], 0])
  await (await startNode(site)).kill('SIGTERM')
})

test('a database without a site cannot use the contents of another site, and can be used afterwards', async () => {
  const fresh = await cluster.newSite()
  const before = keysUnder(site.store.prefix)
  const { code, stderr } = await refusedStart({ ...fresh, store: site.store })
  assert.equal(code, 65, stderr)
  assert.match(stderr, /of another site than the database/)
  assert.deepEqual(keysUnder(site.store.prefix), before)
  assert.deepEqual(await query(fresh.databaseUrl, 'select key from cms_kv'), [])
  await (await startNode(fresh)).kill('SIGTERM')
})

test('a first start without write access to the store creates no site, and the next start does', async () => {
  const place = await cluster.newSite()
  cluster.store.break({ fault: { status: 403, code: 'AccessDenied' }, when: /^PUT / })
  const { code, stderr } = await refusedStart(place)
  cluster.store.mend()
  assert.equal(code, 65, stderr)
  assert.match(stderr, /PutObject: 403 AccessDenied/)
  assert.deepEqual(await query(place.databaseUrl, 'select key from cms_kv'), [])
  await (await startNode(place)).kill('SIGTERM')
})

test('a start without the store exits with 1, so that a service restarts it', async () => {
  const gone = await startBreakingS3()
  await gone.close()
  const refused = await refusedStart(within(site, { endpoint: gone.endpoint }))
  assert.equal(refused.code, 1, refused.stderr)
  assert.match(refused.stderr, /GetObject: ECONNREFUSED/)

  cluster.store.break({ fault: { status: 503, code: 'SlowDown' }, when: /./ })
  const busy = await refusedStart(site)
  cluster.store.mend()
  assert.equal(busy.code, 1, busy.stderr)
  assert.match(busy.stderr, /GetObject: 503 SlowDown/)
})

test('a store with an untrusted certificate ends the start with 65 and advice', async (t) => {
  const dir = newDataDirectory()
  mkdirSync(dir, { recursive: true })
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...about]
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const refused = await refusedStart(within(site, { endpoint: `https://127.0.0.1:${port}` }))
  assert.equal(refused.code, 65, refused.stderr)
  assert.match(refused.stderr, /GetObject: DEPTH_ZERO_SELF_SIGNED_CERT.*Set NODE_EXTRA_CA_CERTS/)
  assert.doesNotMatch(refused.stderr, /try again/)
})

test('one of several nodes that start at once creates the site', async () => {
  const place = await cluster.newSite()
  const nodes = await Promise.all([startNode(place), startNode(place), startNode(place)])
  const marks = keysUnder(place.store.prefix).filter((key) => key.endsWith('.json'))
  assert.equal(marks.length, 1)
  const mark = JSON.parse(String(cluster.store.objects.get(marks[0] ?? '')?.bytes)) as object
  assert.deepEqual(Object.keys(mark), ['format', 'uuid'])
  await Promise.all(nodes.map((node) => node.kill('SIGTERM')))
})

test('an interrupted move can be resumed only at its own place', async () => {
  const dataDir = newDataDirectory()
  await (await startChild(dataDir)).kill('SIGTERM')
  const place = await cluster.newSite()
  const args = ['migrate', '--from', dataDir, '--to', 'cluster']
  await query(
    place.databaseUrl,
    `create table cms_move (id int primary key, site text not null, run uuid not null);
     create function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'not allowed to end'; end $$;
     create trigger refuse before delete on cms_move for each row execute function refuse()`,
  )
  const cut = await runCli(args, { env: variablesOf(place) })
  await query(place.databaseUrl, 'drop trigger refuse on cms_move')
  assert.equal(cut.code, 1, cut.stderr)
  assert.match(
    cut.stderr,
    /All rows and contents were moved and compared; the last step failed: .*not allowed to end/,
  )
  const elsewhere = within(place, { prefix: 'elsewhere/' })
  const refused = await runCli(args, { env: variablesOf(elsewhere) })
  assert.equal(refused.code, 65, refused.stderr)
  assert.match(refused.stderr, NO_MARK)
  assert.deepEqual(keysUnder('elsewhere/'), [])
  const whole = await runCli(args, { env: variablesOf(place) })
  assert.equal(whole.code, 0, whole.stderr)
})

test('a database that rejects the node ends a start, a check and a move with 65', async () => {
  const { databaseUrl } = site
  const [shown] = await query(databaseUrl, 'show hba_file')
  await query(databaseUrl, "create role locked login password 'right'")
  const lines = "('host all locked all scram-sha-256'), ('host all all all trust')"
  await query(databaseUrl, `copy (values ${lines}) to '${String(shown?.['hba_file'])}'`)
  await query(databaseUrl, 'select pg_reload_conf()')

  const url = new URL(databaseUrl)
  const changed = (change: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
    Object.assign(new URL(databaseUrl), change).href
  const wrong: readonly (readonly [string, RegExp])[] = [
    [changed({ username: 'locked', password: 'wrong' }), /password authentication failed/],
    [changed({ username: 'locked' }), /password must be a string/],
    [changed({ username: 'nobody' }), /role "nobody" does not exist/],
    [changed({ pathname: '/none' }), /database "none" does not exist/],
    [`${url.href}&sslmode=require`, /does not support SSL/],
  ]
  for (const [address, said] of wrong) {
    const place = { ...site, databaseUrl: address }
    const env = variablesOf(place)
    const outcomes = [
      await refusedStart(place),
      await runCli(['check', 'cluster'], { env }),
      await runCli(['migrate', '--from', 'cluster', '--to', newDataDirectory()], { env }),
    ]
    for (const { code, stderr } of outcomes) {
      assert.equal(code, 65, stderr)
      assert.match(stderr, said)
      assert.ok(!stderr.includes('wrong'), stderr)
    }
  }
})
