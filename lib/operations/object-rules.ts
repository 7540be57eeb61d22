// The rules of an object: everything except its fields that the generic routes, /api/v2/{object} and
// /api/v2/{object}/{id}, need. CONTRIBUTING.md describes how to add an object.

import type { SchemaObject } from 'openapi3-ts/oas31'
import type { Grant } from '../shared/grants.ts'
import type { Match } from '../schema/match.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import type { Need } from '../storage/port.ts'
import type { ChangeContext, Context, FolderContents, RecordUpdate } from './context.ts'
import type { Visibility } from './visibility.ts'

/** key: any valid key; the operation decides. A list: the key must hold one of these grants somewhere. */
type ObjectAccess = 'key' | readonly [Grant, ...Grant[]]

/** Rules of a read-only object. */
export interface ReadRules<T extends JsonObject = JsonObject> extends Visibility<T> {
  readonly readAccess: ObjectAccess
  /** Extends a search, if a value of a field also stands for other values. */
  readonly widen?: (match: Match) => Match
}

/** Rules of an object with create, update and delete. */
export interface ObjectRules<T extends JsonObject = JsonObject> extends ReadRules<T> {
  readonly changeAccess: {
    readonly create: ObjectAccess
    readonly update: ObjectAccess
    readonly remove: ObjectAccess
  }
  /** Size class of the body: see BodyKind of api/request/request.ts. */
  readonly body: 'json' | 'nested' | 'page'
  /** The kind of free space that a create needs. */
  readonly needsRoom: Need
  readonly create: (context: Context, body: unknown) => Promise<Stored | Written>
  /** Creates records from a list of bodies, all or none. Undefined: one request per record. */
  readonly createAll?: (context: Context, bodies: readonly unknown[]) => Promise<readonly Stored[]>
  readonly update: (context: ChangeContext, input: UpdateInput) => Promise<Stored | Planned>
  /** pending: the deletion is sure to happen, and its commits follow. */
  readonly remove: (
    context: ChangeContext,
    input: RemoveInput,
  ) => Promise<void | 'removed' | 'pending'>
  /** The answer to a create shows a secret, so it cannot be repeated. */
  readonly hasSecret?: boolean
  /** Members that an answer has besides the record, derived from the body. */
  readonly remark?: (body: unknown) => JsonObject
  /** See FolderContents; for objects with more stored data than their records. */
  readonly clear?: FolderContents['clear']
  /** Additional query parameters. */
  readonly updateOptions?: readonly Option[]
  readonly removeOptions?: readonly Option[]
  readonly notes?: Notes
}

export interface UpdateInput extends RecordUpdate {
  /** Names of the options that were set. */
  readonly options: ReadonlySet<string>
}

export type RemoveInput = Omit<UpdateInput, 'body'>

export interface Written {
  readonly stored: Stored
  /** Members that only this answer has. */
  readonly extra: JsonObject
}

/** The answer to a dry run: nothing was changed. */
export interface Planned {
  readonly plan: object
}

/** A boolean query parameter. */
export interface Option {
  readonly name: string
  readonly description: string
  /** The only value that sets the option; undefined stands for `true`, with `false` allowed. */
  readonly word?: string
}

/** Additions to the OpenAPI document besides the fields. */
interface Notes {
  /** Paragraphs. */
  readonly create?: readonly string[]
  readonly update?: readonly string[]
  /** Schemas of the members that the answer to a create or update has besides the record. */
  readonly created?: SchemaObject
  readonly updated?: SchemaObject
  /** Values for the example answer to a create. */
  readonly createdExample?: JsonObject
  /** Schema of the answer to a dry run: see Planned. */
  readonly planned?: SchemaObject
}

/** Grants for records in folders. */
export const IN_FOLDERS = {
  readAccess: ['view'],
  changeAccess: { create: ['create'], update: ['modify'], remove: ['delete'] },
} as const
