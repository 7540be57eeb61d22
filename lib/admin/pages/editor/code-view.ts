// The CodeMirror view without its surroundings, loaded when a file is opened in the editor.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import {
  type Diagnostic,
  forEachDiagnostic,
  lintGutter,
  lintKeymap,
  setDiagnostics,
  setDiagnosticsEffect,
} from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, Prec, type Text } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { CODE_THEME } from './code-theme.ts'
import type { Fault } from './text-checker.ts'
import type { MarkedText, TextEdit } from './text-format.ts'
import {
  acceptFiles,
  type GivenFiles,
  openPlaceholder,
  type TextPlaceholder,
} from './text-places.ts'

export interface CodeViewOptions {
  readonly parent: HTMLElement
  readonly text: string
  readonly language: Extension
  /** The accessible name and description. */
  readonly label: string
  readonly describedBy?: string
  /** A text in a form: without line numbers, and Tab leaves the field. */
  readonly isField?: boolean
  /** Work by key, such as Mod-b. The keys have precedence over those of the editor. */
  readonly keys?: Readonly<Record<string, () => void>>
  readonly phrases: Readonly<Record<string, string>>
  readonly onChange: (text: string) => void
  readonly onFaults: (faults: readonly Fault[]) => void
  /** Takes pasted and dropped files; without it, the editor inserts dropped texts. */
  readonly onFiles?: (given: GivenFiles) => void
}

export interface CodeView {
  /** Replaces only the differing part, as one undoable change. */
  readonly setText: (text: string) => void
  /** Replaces a part of the text, computed from the text and its selection, as one undoable change. */
  readonly edit: (change: (marked: MarkedText) => TextEdit) => void
  /** Holds a place of the text for a later insertion. */
  readonly hold: (at: number) => TextPlaceholder
  /** The text and its selection. */
  readonly marked: () => MarkedText
  readonly setReadOnly: (isReadOnly: boolean) => void
  /** Sets further attributes of the text, such as aria-invalid. */
  readonly setAttributes: (attributes: Readonly<Record<string, string>>) => void
  readonly setFaults: (faults: readonly Fault[]) => void
  readonly goTo: (fault: Fault) => void
  readonly focus: () => void
  readonly close: () => void
}

/** Inserted style elements need the nonce of the page. */
export function styleNonce(): Extension {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')
  return EditorView.cspNonce.of(meta?.nonce ?? '')
}

export function openCodeView(options: CodeViewOptions): CodeView {
  const { parent, text } = options
  const writing = new Compartment()
  const further = new Compartment()
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [writing.of([]), further.of([]), extensionsOf(options)],
    }),
  })
  return {
    setText(next) {
      const change = differenceOf(view.state.doc.toString(), next)
      if (change !== undefined) view.dispatch({ changes: change })
    },
    edit: (change) => changeSelection(view, change),
    hold: (at) => openPlaceholder(view, at),
    marked: () => markedIn(view),
    setAttributes: (attributes) =>
      view.dispatch({
        effects: further.reconfigure(EditorView.contentAttributes.of({ ...attributes })),
      }),
    setReadOnly(isReadOnly) {
      const own = isReadOnly
        ? [
            EditorState.readOnly.of(true),
            EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
          ]
        : []
      view.dispatch({ effects: writing.reconfigure(own) })
    },
    setFaults(faults) {
      const { doc } = view.state
      view.dispatch(
        setDiagnostics(
          view.state,
          faults.map((fault) => diagnosticOf(doc, fault)),
        ),
      )
    },
    goTo(fault) {
      const { from: anchor } = diagnosticOf(view.state.doc, fault)
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      })
      view.focus()
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  }
}

function changeSelection(view: EditorView, change: (marked: MarkedText) => TextEdit): void {
  const edit = change(markedIn(view))
  const [anchor, head] = edit.select
  view.dispatch({
    changes: { from: edit.from, to: edit.to, insert: edit.insert },
    selection: { anchor, head },
    scrollIntoView: true,
    userEvent: 'input',
  })
  view.focus()
}

function markedIn({ state }: EditorView): MarkedText {
  const { from, to } = state.selection.main
  return { text: state.doc.toString(), from, to }
}

function extensionsOf(options: CodeViewOptions): Extension {
  const { language, label, describedBy, phrases, isField, onChange, onFaults } = options
  const names = {
    'aria-label': label,
    ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
  }
  return [
    styleNonce(),
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of(names),
    keysOf(options),
    isField === true ? [] : CODE_SIDE,
    options.onFiles === undefined ? [] : acceptFiles(options.onFiles),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorView.lineWrapping,
    CODE_THEME,
    language,
    EditorView.updateListener.of(({ docChanged, state, transactions }) => {
      if (docChanged) onChange(state.doc.toString())
      const isJudged = transactions.some(({ effects }) =>
        effects.some((effect) => effect.is(setDiagnosticsEffect)),
      )
      if (isJudged) onFaults(faultsOf(state))
    }),
  ]
}

const CODE_SIDE = [
  lineNumbers(),
  lintGutter(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  keymap.of([indentWithTab]),
]

function keysOf({ isField, keys = {} }: CodeViewOptions): Extension {
  const own = Object.entries(keys).map(([key, work]) => ({
    key,
    run(): boolean {
      work()
      return true
    },
  }))
  // The form sends itself by this key, which would insert a line here.
  const send = { key: 'Mod-Enter', run: () => true }
  return [
    Prec.highest(keymap.of([...own, ...(isField === true ? [send] : [])])),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
  ]
}

function faultsOf(state: EditorState): readonly Fault[] {
  const faults: Fault[] = []
  forEachDiagnostic(state, ({ message, severity }, from) => {
    const line = state.doc.lineAt(from)
    const isWarning = severity === 'warning'
    faults.push({ line: line.number, column: from - line.from + 1, detail: message, isWarning })
  })
  return faults
}

/** The text may have become shorter since the check. */
function diagnosticOf(
  doc: Text,
  { line: number, column, detail, length, isWarning }: Fault,
): Diagnostic {
  const line = doc.line(Math.min(number, doc.lines))
  const from = Math.min(line.from + column - 1, line.to)
  const word = /^[<\w/.-]+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 0
  const to = length === undefined ? from + word : Math.min(from + length, doc.length)
  return { from, to, severity: isWarning === true ? 'warning' : 'error', message: detail }
}

/** The range between the common prefix and suffix. */
function differenceOf(before: string, after: string) {
  if (before === after) return undefined
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from += 1
  let end = 0
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) }
}
