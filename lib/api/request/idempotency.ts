// The header Idempotency-Key (draft-ietf-httpapi-idempotency-key-header): a POST that is retried because its response was
// lost changes nothing and gets the same response. A request runs in three steps:
//
//   1. acquire the key; a second request with the key is rejected while the first is running
//   2. the commit of the change also writes the row: the fingerprint and the identifiers of the written records
//   3. add the response to the row, then send it
//
// A crash after step 2 leaves a row without a response, and a response may be too large to store. In both cases,
// `route.recall` rebuilds the output from the written records. The same happens if the caller now holds fewer grants,
// because a replay must not reveal what the caller may no longer see. A response with a secret is stored encrypted with the
// caller's own secret and cannot be rebuilt. A rejected request leaves no row, so the client can correct the request and
// send it again with the same key.

import { withMembers } from '../../base/with-members.ts'
import type { IncomingMessage } from 'node:http'
import { holdsEverywhere } from '../../auth/grants.ts'
import { type EncryptionKey, encrypt, decrypt } from '../../auth/encryption.ts'
import { CmsError } from '../../base/errors.ts'
import { headerValues } from '../../http/header-values.ts'
import type { Reply } from '../../http/reply.ts'
import type { ChangeContext } from '../../operations/context.ts'
import { withAdditions } from '../../operations/trail/additions.ts'
import { type Attempt, authorityOf, type RequestMarks } from '../../operations/trail/idempotency.ts'
import { requireReplayedKeys } from '../../operations/people/api-keys.ts'
import type { IdempotencyRow, Made } from '../../schema/server-records.ts'
import type { Action } from '../../shared/actions.ts'
import type { JsonObject, JsonValue } from '../../schema/values.ts'
import { sentSecret } from './request-ticket.ts'
import { replyTo, type Steps } from './route.ts'

const HEADER = 'idempotency-key'
const VISIBLE = /^[\x21-\x7e]{1,255}$/

/** Reads the key. A key with the quotes of a structured string (RFC 9651) is the same key. */
export function readIdempotencyKey(message: IncomingMessage): string | undefined {
  const [header, ...others] = headerValues(message, HEADER)
  if (header === undefined) return undefined
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]
  const key = header.startsWith('"') ? (quoted ?? '').replace(/\\(["\\])/g, '$1') : header
  if (others.length === 0 && VISIBLE.test(key)) return key
  throw new CmsError(
    'bad-request',
    'Send one header Idempotency-Key with 1 to 255 visible ASCII characters, for example a UUID.',
  )
}

interface Once extends Steps {
  readonly key: string
}

/** Runs the request through its route, or replays the response of an earlier request with the same key. */
export async function answerOnce({ route, request, context, key }: Once): Promise<Reply> {
  const attempt = context.idempotency.begin(context.caller.key.api_key_id, key)
  try {
    const row = attempt.find()
    const input = await route.read(request, context)
    const fingerprint = request.fingerprint?.digest('hex') ?? ''
    const marks = { fingerprint, authority: authorityOf(context.caller) }
    const step: Step = { route, request, context, key, attempt, input, marks }
    if (row === undefined) return await run(step)

    await route.drop?.(input)
    const { headers, ...reply } = await replay(step, row)
    return { ...reply, headers: { ...headers, 'idempotency-replayed': 'true' } }
  } finally {
    attempt.end()
  }
}

interface Step extends Once {
  readonly attempt: Attempt
  readonly input: unknown
  readonly marks: RequestMarks
}

async function run(step: Step): Promise<Reply> {
  const { route, context, input } = step
  const output = await route.run(noted(step, context as ChangeContext), input)
  const reply = await replyTo(step, output)
  await keep(step, reply)
  return reply
}

/** The first commit of the request, through whichever of its contexts, writes the row. */
function noted({ route, attempt, marks }: Step, context: ChangeContext): ChangeContext {
  const progress = { isDone: false }
  const additions = [attempt.note(marks, route.keepsOutcome)]
  const note = (used: ChangeContext): ChangeContext =>
    withMembers(used, {
      records: withAdditions(used.records, additions, attempt.requireRoom, progress),
      recordedAs: (action: Action) => note(used.recordedAs(action)),
    })
  return note(context)
}

async function replay(step: Step, row: IdempotencyRow): Promise<Reply> {
  const { caller } = step.context
  if (row.fingerprint !== step.marks.fingerprint) throw reused()
  const kept = unpackAnswer(step, row.answer)
  const isSame = row.authority === step.marks.authority
  // A caller that may see everything, then and now, can get the stored response without a check.
  if (kept !== undefined && isSame && holdsEverywhere(caller, 'view')) return kept

  const again = await recall(step, row)
  if (kept !== undefined && (isSame || again === 'lost')) return kept
  if (again === 'lost') throw answerLost(row.made)
  const reply = await step.route.reply(again.output, step.request, step.context)
  await keep(step, reply)
  return reply
}

/**
 * Rebuilds the output from the current records; lost if this is impossible. Throws answer-lost if the records are gone or
 * the caller may no longer see them.
 */
async function recall(
  { route, context, input }: Step,
  row: IdempotencyRow,
): Promise<'lost' | { readonly output: unknown }> {
  try {
    if (typeof route.recall === 'function') {
      const output = await route.recall(context, input, row)
      return output === undefined ? 'lost' : { output }
    }
    requireReplayedKeys(context, row.made)
    return 'lost'
  } catch (error) {
    const isGone = error instanceof CmsError && (error.status === 404 || error.status === 403)
    throw isGone ? answerLost(row.made, error) : error
  }
}

async function keep(step: Step, reply: Reply): Promise<void> {
  const answer = packAnswer(step, reply)
  if (answer === undefined) return
  try {
    await step.attempt.keep(step.marks, answer)
  } catch (error) {
    // The change is committed, so the response must be sent. A retry rebuilds it from the written records.
    if (!(error instanceof CmsError) || error.code !== 'disk-full') throw error
  }
}

interface KeptReply extends JsonObject {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
}

/** The response in its stored form; undefined if it is too large to store. */
function packAnswer(step: Step, { status, headers, body = '' }: Reply): JsonValue | undefined {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
  const bytes = Buffer.from(body)
  if (bytes.length > step.context.limits.keptAnswerBytes) return undefined
  const kept: KeptReply = { status, headers, body: bytes.toString() }
  return step.route.recall === 'secret'
    ? encrypt(JSON.stringify(kept), encryptionKeyOf(step))
    : kept
}

/** Undefined if no response was stored, or if it was encrypted with a secret that was rotated since. */
function unpackAnswer(step: Step, answer: JsonValue): KeptReply | undefined {
  if (answer === null) return undefined
  const text = typeof answer === 'string' ? decrypt(answer, encryptionKeyOf(step)) : undefined
  if (typeof answer === 'string' && text === undefined) return undefined
  return (text === undefined ? answer : JSON.parse(text)) as KeptReply
}

function encryptionKeyOf({ request, key }: Step): EncryptionKey {
  return { secret: sentSecret(request.message).text, purpose: key }
}

function reused(): CmsError {
  return new CmsError(
    'idempotency-key-reused',
    'A different request was already sent with this Idempotency-Key. Use a new value for each request, and repeat a value only with the same method, address and body.',
  )
}

function answerLost(made: Made, cause?: unknown): CmsError {
  const names = Object.entries(made).map(([type, ids]) => `${type} ${ids.slice(0, 10).join(', ')}`)
  const records = names.length === 0 ? '' : ` It created or changed ${names.join('; ')}.`
  const detail = `The request was already carried out, and its response is no longer available.${records} Read these records. To replace a lost secret of an API key, rotate the key.`
  return new CmsError('answer-lost', detail, { members: { made }, cause })
}
