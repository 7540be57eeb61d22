// The plan of a schema change as the server returns it (?dry_run=true).

import { type Api, dataOf } from '../../client/api.ts'
import type { operations } from '../../client/interface.d.ts'
import type { Fault, Problem } from '../../client/problem.ts'
import { lastOf, readSchema } from './schema-columns.ts'
import { renamesBody, type SchemaDraft } from './schema-draft.ts'
import type { TextFault } from './schema-text-field.tsx'

type Answer = operations['patch_datatable']['responses'][200]['content']['application/json']

type ServerPlan = Required<Extract<Answer, { readonly plan: unknown }>['plan']>

export interface Plan extends ServerPlan {
  /** Warnings about the schema text, in sentences. */
  readonly warnings: readonly string[]
}

/** The complete request. A plan is valid for one change and one state of the table. */
export interface SchemaChange {
  readonly id: number
  readonly etag: string
  readonly draft: SchemaDraft
  /** Title column after the change; undefined to keep it. */
  readonly titleField?: null | undefined
}

export async function planOf(api: Api, change: SchemaChange): Promise<Plan> {
  const params = { ...paramsOf(change), query: { dry_run: true } }
  const answer = await dataOf(api.PATCH('/datatable/{id}', { params, body: bodyOf(change) }))
  const { plan, warnings = [] } = answer as Extract<Answer, { readonly plan: unknown }>
  // All members are present.
  return { ...(plan as ServerPlan), warnings }
}

export function paramsOf({ id, etag }: SchemaChange) {
  return { path: { id }, header: { 'If-Match': etag } }
}

export function bodyOf({ draft, titleField }: SchemaChange) {
  const columns = renamesBody(draft.renames)
  return {
    table_schema: draft.text,
    ...(columns.length > 0 && { columns }),
    ...(titleField !== undefined && { title_field: titleField }),
  }
}

/** Steps that lose values of entries. */
export function lossesOf({ dropped, narrowed, retyped }: Plan) {
  return [...dropped, ...narrowed, ...retyped].filter(({ entries }) => entries > 0)
}

/** Whether the server would reject the change even with a confirmation. */
export function isBlocked({ required, unique, references, checks, refused }: Plan): boolean {
  return (
    refused.length > 0 ||
    [...required, ...unique, ...references, ...checks].some(({ entries }) => entries > 0)
  )
}

/** Whether the change has no effect on entries. */
export function isEmptyPlan(plan: Plan): boolean {
  const lists = [plan.added, plan.renamed, plan.widened, plan.dropped, plan.narrowed]
  return [
    ...lists,
    plan.retyped,
    plan.required,
    plan.unique,
    plan.references,
    plan.checks,
    plan.refused,
  ].every((list) => list.length === 0)
}

const PLACE = /^column (\d+) /

/** Maps errors of the server to places in the text; the server counts columns. */
export function faultsAt({ facts }: Problem, text: string): readonly TextFault[] {
  const { pieces } = readSchema(text)
  return facts.errors
    .filter(({ pointer }) => pointer === '/table_schema')
    .map(({ detail }: Fault) => {
      const piece = pieces[Number(PLACE.exec(detail)?.[1] ?? 0) - 1]
      const [start, end] = piece === undefined ? [0, 0] : [piece[0].start, lastOf(piece).end]
      return { start, end, text: detail }
    })
}
