// Parses the JSON of a file with the parser that the server uses for bodies: a duplicate key is rejected, and a
// number that a double cannot represent keeps its text. JSON.parse would keep the last of two keys and round
// the number.

import { LIMITS } from '../config/limits.ts'
import { parseJson } from '../http/json.ts'

/** Throws CmsError `bad-json` with the byte and the reason. */
export function parseStrictJson(text: string): unknown {
  return parseJson(Buffer.from(text), { maxDepth: LIMITS.jsonDepth, maxKeys: LIMITS.bulkKeys })
}
