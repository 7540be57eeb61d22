// A CodeMirror merge view of two texts: it marks the differences, and shows buttons at each conflict. It is loaded on
// demand.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  acceptChunk,
  getChunks,
  getOriginalDoc,
  goToNextChunk,
  originalDocChangeEffect,
  rejectChunk,
  unifiedMergeView,
} from '@codemirror/merge'
import { ChangeSet, EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { CODE_THEME } from './code-theme.ts'
import { styleNonce } from './code-view.ts'

export interface MergeViewOptions {
  readonly parent: HTMLElement
  /** The text before the changes. */
  readonly original: string
  readonly text: string
  readonly language: Extension
  readonly label: string
  readonly phrases: Readonly<Record<string, string>>
  /** Undefined for a read-only comparison. */
  readonly decide?: Deciding
}

export interface Deciding {
  readonly mine: string
  readonly theirs: string
  readonly both: string
  /** Reports the number of open conflicts and the text so far. */
  readonly onChange: (open: number, text: string) => void
}

export interface MergeView {
  readonly text: () => string
  readonly toNext: () => void
  /** Resolves all open conflicts. */
  readonly decideAll: (side: 'mine' | 'theirs') => void
  readonly close: () => void
}

const CONTEXT = { margin: 3, minSize: 6 }

export function openMergeView(options: MergeViewOptions): MergeView {
  const { parent, text, decide } = options
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: text, extensions: extensionsOf(options) }),
  })
  const count = (): number => getChunks(view.state)?.chunks.length ?? 0
  decide?.onChange(count(), text)
  return {
    text: () => view.state.doc.toString(),
    toNext() {
      goToNextChunk(view)
      view.focus()
    },
    decideAll(side) {
      for (let left = count(); left > 0; left -= 1) {
        const from = getChunks(view.state)?.chunks[0]?.fromB ?? 0
        if (side === 'mine') acceptChunk(view, from)
        else rejectChunk(view, from)
      }
    },
    close: () => view.destroy(),
  }
}

function extensionsOf(options: MergeViewOptions): Extension {
  const { original, language, label, phrases, decide } = options
  const own =
    decide === undefined
      ? [EditorState.readOnly.of(true), unified(original, false)]
      : [
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          unified(original, decide),
          EditorView.updateListener.of(({ state }) =>
            decide.onChange(getChunks(state)?.chunks.length ?? 0, state.doc.toString()),
          ),
        ]
  return [
    styleNonce(),
    EditorState.phrases.of(phrases),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    lineNumbers(),
    highlightSpecialChars(),
    EditorView.lineWrapping,
    CODE_THEME,
    language,
    own,
  ]
}

function unified(original: string, decide: Deciding | false): Extension {
  return unifiedMergeView({
    original,
    collapseUnchanged: CONTEXT,
    syntaxHighlightDeletions: false,
    mergeControls: decide === false ? false : controlsOf(decide),
  })
}

/** Buttons side by side: mine, both, theirs. */
function controlsOf({ mine, theirs, both }: Deciding) {
  return (type: 'accept' | 'reject', act: (event: MouseEvent) => void): HTMLElement => {
    if (type === 'reject') return buttonOf(theirs, act)
    const group = document.createElement('span')
    group.className = 'merge-choice'
    group.append(buttonOf(mine, act), buttonOf(both, keepBoth))
    return group
  }
}

function buttonOf(text: string, act: (event: MouseEvent) => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', act)
  return button
}

/** Inserts their text before mine. */
function keepBoth({ target }: MouseEvent): void {
  if (!(target instanceof HTMLElement)) return
  const [place, editor] = [target.closest('.cm-deletedChunk'), target.closest('.cm-editor')]
  const view = editor instanceof HTMLElement ? EditorView.findFromDOM(editor) : null
  if (view === null || place === null) return
  const at = view.posAtDOM(place)
  const chunk = getChunks(view.state)?.chunks.find(({ fromB, endB }) => at >= fromB && at <= endB)
  if (chunk === undefined) return
  const { fromA, toA, endA, fromB, toB } = chunk
  if (fromA === toA) return void acceptChunk(view, fromB)
  if (fromB === toB) return void rejectChunk(view, fromB)
  const insert = `${getOriginalDoc(view.state).sliceString(fromA, endA)}\n`
  const mine = view.state.sliceDoc(fromB, chunk.endB)
  view.dispatch({ changes: { from: fromB, insert } })
  const change = { from: fromA, to: endA, insert: `${insert}${mine}` }
  const changes = ChangeSet.of(change, getOriginalDoc(view.state).length)
  view.dispatch({ effects: originalDocChangeEffect(view.state, changes) })
}
