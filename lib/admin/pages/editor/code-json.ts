// JSON with its faults, which the browser finds by itself.

import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'

export function codeJson(): Extension {
  const find = jsonParseLinter()
  // An empty text is one that nobody has begun.
  const check = linter((view) => (view.state.doc.toString().trim() === '' ? [] : find(view)))
  return [json(), check]
}
