// JSON with syntax errors that the browser finds.

import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'

export function codeJson(): Extension {
  const find = jsonParseLinter()
  // An empty text is not an error.
  const check = linter((view) => (view.state.doc.toString().trim() === '' ? [] : find(view)))
  return [json(), check]
}
