// A JSON text as a tree of nodes that know their places. Edits change only their part of the text, so that all digits
// of numbers and the layout of the rest stay.

import { readValue } from '../../../../shared/value-text.ts'
import { parseJson } from '../../../client/stored.ts'

export const JSON_KINDS = ['string', 'number', 'boolean', 'null', 'object', 'array'] as const

export type JsonKind = (typeof JSON_KINDS)[number]

export interface JsonNode {
  readonly kind: JsonKind
  readonly start: number
  readonly end: number
  /** The members of an object or the items of an array. */
  readonly children: readonly JsonChild[]
}

export interface JsonChild {
  /** Undefined for the items of an array. */
  readonly name: string | undefined
  /** The start of the name, or of the value of an item. */
  readonly start: number
  /** The end of the name with its quotation marks. */
  readonly nameEnd: number
  readonly node: JsonNode
}

/** Undefined for a text that is not JSON, or that the server would not store exactly. */
export function readTree(text: string): JsonNode | undefined {
  return readValue('json', text) === undefined ? undefined : nodeAt(text, skip(text, 0))
}

/** The tree of any JSON, to read only; undefined for another text, and for values that are nested too deeply. */
export function anyTree(text: string): JsonNode | undefined {
  if (parseJson(text) === undefined) return undefined
  try {
    return nodeAt(text, skip(text, 0))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const STRING = /"(?:[^"\\]|\\.)*"/y
const OTHER = /[^\s,\]}]+/y

/** The text is valid, so the first character decides. */
function nodeAt(text: string, start: number): JsonNode {
  const first = text[start]
  if (first === '{' || first === '[') return listAt(text, start, first === '{')
  const end = endOf(first === '"' ? STRING : OTHER, text, start)
  const kind =
    first === '"'
      ? 'string'
      : first === 'n'
        ? 'null'
        : first === 't' || first === 'f'
          ? 'boolean'
          : 'number'
  return { kind, start, end, children: [] }
}

function listAt(text: string, start: number, isObject: boolean): JsonNode {
  const children: JsonChild[] = []
  let at = skip(text, start + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    const nameEnd = isObject ? endOf(STRING, text, at) : at
    const name = isObject ? String(JSON.parse(text.slice(at, nameEnd))) : undefined
    // Behind the colon.
    const node = nodeAt(text, isObject ? skip(text, skip(text, nameEnd) + 1) : at)
    children.push({ name, start: at, nameEnd, node })
    at = skip(text, node.end)
    if (text[at] === ',') at = skip(text, at + 1)
  }
  return { kind: isObject ? 'object' : 'array', start, end: at + 1, children }
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : text.length
}

function skip(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1
  return at
}

/** The first text of a value of each kind. */
export const FIRST_JSON: Readonly<Record<JsonKind, string>> = {
  string: '""',
  number: '0',
  boolean: 'false',
  null: 'null',
  object: '{}',
  array: '[]',
}

/** Whether a text is a JSON number that keeps all its digits. */
export function isJsonNumber(text: string): boolean {
  return (
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text) &&
    readValue('json', text) !== undefined
  )
}

export function replaceNode(text: string, { start, end }: JsonNode, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

export function renameChild(text: string, { start, nameEnd }: JsonChild, name: string): string {
  return text.slice(0, start) + JSON.stringify(name) + text.slice(nameEnd)
}

/** Adds a member or an item at the end, with the blanks that stand between the others. */
export function addChild(text: string, { kind, start, children }: JsonNode): string {
  const names = new Set(children.map(({ name }) => name))
  let number = children.length + 1
  while (names.has(`name_${number}`)) number += 1
  const made = kind === 'object' ? `"name_${number}": null` : 'null'
  const last = children.at(-1)
  if (last === undefined) return text.slice(0, start + 1) + made + text.slice(start + 1)
  const blank = /^\s*/.exec(text.slice(start + 1))?.[0] ?? ''
  const between = blank.includes('\n') ? `,${blank}` : ', '
  return text.slice(0, last.node.end) + between + made + text.slice(last.node.end)
}

/** Removes a child with the comma before it, or the comma after the first one. */
export function removeChild(text: string, { children }: JsonNode, at: number): string {
  const [before, own, after] = [children[at - 1], children[at], children[at + 1]]
  if (own === undefined) return text
  if (before !== undefined) return text.slice(0, before.node.end) + text.slice(own.node.end)
  return text.slice(0, own.start) + text.slice(after === undefined ? own.node.end : after.start)
}
