// The rules of an object: all that the common pattern, /api/v2/{object} and /api/v2/{object}/{id}, asks of it
// beyond its fields. CONTRIBUTING.md tells how to add one.

import type { SchemaObject } from 'openapi3-ts/oas31'
import type { Grant } from '../schema/grants.ts'
import type { Match } from '../schema/match.ts'
import type { JsonObject, Stored } from '../schema/values.ts'
import type { Need } from '../storage/port.ts'
import type { ChangeContext, Context, FolderContents, Precondition } from './context.ts'
import type { Showing } from './visibility.ts'

/** key: any valid key; the operation decides. A list: the key must hold one of these grants somewhere. */
type ObjectAccess = 'key' | readonly [Grant, ...Grant[]]

/** Of an object that can be read. */
export interface ReadRules<T extends JsonObject = JsonObject> extends Showing<T> {
  readonly readAccess: ObjectAccess
  /** What a search asks for, where a value of a field also stands for others. */
  readonly widen?: (match: Match) => Match
}

/** Of one that can be created, updated and deleted as well. */
export interface ObjectRules<T extends JsonObject = JsonObject> extends ReadRules<T> {
  readonly changeAccess: {
    readonly create: ObjectAccess
    readonly update: ObjectAccess
    readonly remove: ObjectAccess
  }
  /** What a body may come to: see BodyKind of api/request/request.ts. */
  readonly body: 'json' | 'nested' | 'page'
  /** What there must be room for before one is created. */
  readonly needsRoom: Need
  readonly create: (context: Context, body: unknown) => Promise<Stored | Written>
  /** From a list of bodies: all of them or none. Undefined: one at a time. */
  readonly createAll?: (context: Context, bodies: readonly unknown[]) => Promise<readonly Stored[]>
  readonly update: (context: Context, input: UpdateInput) => Promise<Stored | Planned>
  readonly remove: (context: ChangeContext, input: RemoveInput) => Promise<void>
  /** The answer to a create shows a secret, and can be told no second time. */
  readonly hasSecret?: boolean
  /** Members that the answer to a change has besides the record, and that follow from the body. */
  readonly remark?: (body: unknown) => JsonObject
  /** As in FolderContents, where an object that lies in folders leaves more than its records. */
  readonly clear?: FolderContents['clear']
  /** Query parameters of its own. */
  readonly updateOptions?: readonly Option[]
  readonly removeOptions?: readonly Option[]
  readonly notes?: Notes
}

export interface UpdateInput {
  readonly id: number
  readonly body: unknown
  readonly precondition: Precondition | undefined
  /** Names of the options that were set. */
  readonly options: ReadonlySet<string>
}

export type RemoveInput = Omit<UpdateInput, 'body'>

export interface Written {
  readonly stored: Stored
  /** Members that only this answer has. */
  readonly extra: JsonObject
}

/** The answer to a dry run: nothing has changed. */
export interface Planned {
  readonly plan: object
}

/** A query parameter that is set or not. */
export interface Option {
  readonly name: string
  readonly description: string
  /** The one word that sets it; undefined: `true`, and `false` is taken, too. */
  readonly word?: string
}

/** What the documents tell of it besides the fields. */
interface Notes {
  /** Paragraphs. */
  readonly create?: readonly string[]
  readonly update?: readonly string[]
  /** The object of the members that the answer to a create, or to an update, has besides the record. */
  readonly created?: SchemaObject
  readonly updated?: SchemaObject
  /** Values for the example of the answer to a create. */
  readonly createdExample?: JsonObject
  /** The answer to an update that changes nothing: see Planned. */
  readonly planned?: SchemaObject
}

/** Grants of records that lie in folders. */
export const IN_FOLDERS = {
  readAccess: ['view'],
  changeAccess: { create: ['create'], update: ['modify'], remove: ['delete'] },
} as const
