// Sends requests generated from the server's own documents to a real server with a small site, some
// concurrently. For every answer: the status is declared, the body matches the schema, no error is
// internal, violations are refused, and HEAD agrees with GET.

import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import fc from 'fast-check'
import pMap from 'p-map'
import { type Judge, judgeOf, type Operation, operationsOf } from '../../docs/document.ts'
import { makeModules, sendTraffic } from '../../docs/traffic.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { anyRequest, type GeneratedRequest } from './requests.ts'
import { tokenOf } from '../../helpers/sessions.ts'

export interface OpenApiOutcome {
  readonly requests: number
  readonly byStatus: ReadonlyMap<number, number>
  /** The number of operations with a 2xx answer, and the number of all operations. */
  readonly succeeded: number
  readonly operations: number
  /** Descriptions of wrong answers; at most 20. */
  readonly faults: readonly string[]
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Statuses of the HTTP layer and of a full disk: `default` in the documents. */
const BY_DEFAULT = new Set([406, 429, 503, 507])
const HEAD_EVERY = 8
/** The number of requests that are generated together and then sent. */
const REQUESTS_OF_A_ROUND = 500
const CONNECTIONS = 12
const MAX_FAULTS = 20

export async function runOpenApi(options: {
  readonly seed: number
  readonly requests: number
}): Promise<OpenApiOutcome> {
  const server = await startTestServer()
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const byStatus = new Map<number, number>()
  const succeeded = new Set<Operation>()
  const faults: string[] = []
  let count = 0
  try {
    const { places, judges } = await readDocuments(server)
    const anyOfThem = anyRequest(places)
    const check = async (request: GeneratedRequest): Promise<void> => {
      const answer = await send(agent, server, request)
      count += 1
      byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
      if (answer.status < 300) succeeded.add(request.operation)
      judge(judges, request, answer)
    }
    const note = (error: Error): void => void faults.push(error.message)
    for (let round = 0; count < options.requests && faults.length < MAX_FAULTS; round += 1) {
      const numRuns = Math.min(REQUESTS_OF_A_ROUND, options.requests - count)
      const seed = options.seed + 1_000_003 * round
      const requests = fc.sample(anyOfThem, { seed, numRuns })
      await pMap(requests, (request) => check(request).catch(note), { concurrency: CONNECTIONS })
      // The requests are sequential, so that nothing changes between GET and HEAD.
      for (const request of requests.filter(isSameTwice).filter((_, at) => at % HEAD_EVERY === 0))
        await compareHead({ agent, server, request }).catch(note)
      // The server closes idle connections while the next requests are generated.
      agent.destroy()
    }
    const operations = places.length
    return { requests: count, byStatus, succeeded: succeeded.size, operations, faults }
  } finally {
    agent.destroy()
    await server.close()
  }
}

/**
 * Range applies only to GET (RFC 9110, 14.2), a backup has no HEAD, metrics change with each
 * request, and HEAD of an upload belongs to tus, which requires a header.
 */
function isSameTwice({ operation, headers, path }: GeneratedRequest): boolean {
  if (operation.method !== 'GET' || path.startsWith('/api/v2/uploads/')) return false
  return headers['Range'] === undefined && !['/api/v2/backup', '/api/v2/metrics'].includes(path)
}

/** These operations wait for a change; test/api/trail tests them. */
export const WAITS: ReadonlySet<string> = new Set(['GET /change', 'GET /change/stream'])

async function readDocuments(server: TestServer) {
  await makeModules(server.call)
  await sendTraffic(server.call, tokenOf(server))
  const judges = new Map<Operation, Judge>()
  const places: { prefix: string; operation: Operation }[] = []
  for (const name of ['system', 'module']) {
    const { body } = await server.call('GET', `/public/api/${name}/swagger.json`)
    const judgeAnswer = judgeOf(body)
    for (const operation of operationsOf(body)) {
      if (WAITS.has(operation.name)) continue
      const [{ url }] = body.servers
      judges.set(operation, judgeAnswer)
      places.push({ prefix: new URL(url).pathname, operation })
    }
  }
  // The site is made after the documents are read, because it changes the columns of these modules.
  await makeSite(server)
  return { places, judges }
}

/** Makes some records of each kind, so that identifiers of one digit exist. */
async function makeSite({ call, upload }: TestServer): Promise<void> {
  const create = async (path: string, json: object): Promise<void> => {
    const { status, text } = await call('POST', `/api/v2/${path}`, { json })
    assert.equal(status, 201, text)
  }
  for (const name of ['a.html', 'é.txt', 'c.stml']) {
    const pageContent = '<div id="dd.0"><p>a</p></div>'
    const type = name.split('.')[1]
    await create('asset_file', {
      name,
      type,
      pageContent,
      parent_category_id: 1,
      fileState: 'publish',
    })
  }
  for (const name of ['one', 'two', 'three']) {
    await create('asset_category', { name })
    await create('file_group', { name, asset_file_ids: [] })
    await create('datatable', { name, table_schema: 'title C(40), price N(8.2)' })
    await create('calendar', { name })
    await create('user', { name, role: 'viewer' })
    await create('api_key', { name })
    await create('webhook', { name, url: 'https://a.invalid', status: 'paused' })
  }
  const parts = [
    { name: 'asset_category_id', value: '13' },
    { name: 'Filedata', fileName: 'b.bin', bytes: Buffer.from('bytes') },
  ]
  await upload(parts)
  for (const title of ['One', 'Two', 'Three']) {
    const start_time = '2026-03-02T09:00:00Z'
    await create('module/datatable/1/press-releases', { title })
    await create('module/calendar/1/events', {
      event_title: title,
      start_time,
      rrule: 'FREQ=DAILY',
    })
  }
}

function send(
  agent: Agent,
  server: TestServer,
  request: GeneratedRequest,
  method?: string,
): Promise<Answer> {
  const { operation, path, body } = request
  const { hostname, port } = new URL(server.url)
  const headers = {
    authorization: `Bearer ${server.key}`,
    ...request.headers,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { agent, hostname, port, path, headers, method: method ?? operation.method },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode: status = 0, headers: given } = response
          resolve({ status, headers: given, bytes: Buffer.concat(chunks) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function judge(
  judges: ReadonlyMap<Operation, Judge>,
  request: GeneratedRequest,
  answer: Answer,
): void {
  const { operation, broken } = request
  const { status, headers, bytes } = answer
  const told = `${show(request)}\n${status} ${bytes.toString().slice(0, 600)}`
  assert.ok(status < 500 || isMeant(status, request), `A fault of the server: ${told}`)
  // The documents describe this response in words only: see docs/api.md.
  if (headers['preference-applied'] === 'return=minimal')
    return assert.ok([201, 204].includes(status) && bytes.length === 0, told)
  const isDeclared = operation.operation.responses[status] !== undefined
  assert.ok(isDeclared || BY_DEFAULT.has(status), `The status is not declared: ${told}`)

  const type = headers['content-type'] ?? ''
  const body = bytes.length === 0 ? undefined : parse(bytes)
  const fault = judges.get(operation)?.(operation, { status, type, body })
  assert.equal(fault, undefined, told)
  if (broken === undefined || isPostedBack(request)) return
  assert.ok(status >= 400, `Accepted with ${broken} broken: ${told}`)
}

/** Statuses that are no faults: the disk is full, or another backup is being sent. */
function isMeant(status: number, { path }: GeneratedRequest): boolean {
  return status === 507 || (status === 503 && path === '/api/v2/backup')
}

/**
 * The root has no parent, so null is valid there: a client may post the record back as it was read.
 */
function isPostedBack({ path, broken }: GeneratedRequest): boolean {
  return path === '/api/v2/asset_category/1' && broken === 'body parent_category_id.type'
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return bytes.toString()
  }
}

interface Headed {
  readonly agent: Agent
  readonly server: TestServer
  readonly request: GeneratedRequest
}

const SAME_HEADERS = ['content-type', 'content-length', 'etag', 'cache-control', 'content-range']

/** Publish, stage and sign-in have no HEAD, because HEAD would carry out the action. */
async function compareHead({ agent, server, request }: Headed): Promise<void> {
  const answer = await send(agent, server, request)
  const head = await send(agent, server, request, 'HEAD')
  const told = `HEAD of ${show(request)}: ${head.status}, not ${answer.status}`
  assert.equal(head.bytes.length, 0, told)
  if (/\/(?:publish|stage|session\/oidc(?:\/callback)?)$/.test(request.operation.name))
    return assert.equal(head.status, 405, told)

  assert.equal(head.status, answer.status, told)
  // A problem contains the identifier of its request, so only its type is compared.
  const names = head.status < 400 ? SAME_HEADERS : ['content-type']
  for (const name of names)
    assert.equal(head.headers[name], answer.headers[name], `${told}: ${name}`)
}

function show({ operation, path, headers, body, broken }: GeneratedRequest): string {
  const text = body === undefined ? '' : ` ${body.toString().slice(0, 600)}`
  const place = broken === undefined ? 'valid' : `${broken} is broken`
  return `${operation.method} ${path} ${JSON.stringify(headers)}${text} (${place})`
}
