// Places of a text at which something is inserted later, and the files that are pasted or dropped into a text. A place stays
// where it is while the text around it changes, and shows a message until then. Messages are not part of the text.

import { type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'
import type { MarkedText, TextEdit } from './text-format.ts'

export interface TextPlaceholder {
  readonly show: (message: string) => void
  /** Removes the message. Inserts nothing without an edit, and in a read-only text. */
  readonly end: (edit?: (marked: MarkedText) => TextEdit, isSelected?: boolean) => void
}

class Message extends WidgetType {
  readonly dom = document.createElement('span')

  constructor() {
    super()
    this.dom.className = 'text-pending'
  }

  override toDOM(): HTMLElement {
    return this.dom
  }

  override eq(other: WidgetType): boolean {
    return other === this
  }
}

const added = StateEffect.define<{ readonly at: number; readonly message: Message }>({
  map: ({ at, message }, changes) => ({ at: changes.mapPos(at, 1), message }),
})
const ended = StateEffect.define<Message>()

const MESSAGES = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects }) {
    let messages = before.map(changes)
    for (const effect of effects) {
      if (effect.is(added)) {
        const { at, message } = effect.value
        const widget = Decoration.widget({ widget: message, side: 1 }).range(at)
        messages = messages.update({ add: [widget] })
      } else if (effect.is(ended)) {
        const isOther = (decoration: Decoration): boolean => messageOf(decoration) !== effect.value
        messages = messages.update({ filter: (_, __, value) => isOther(value) })
      }
    }
    return messages
  },
  provide: (field) => EditorView.decorations.from(field),
})

export function openPlaceholder(view: EditorView, at: number): TextPlaceholder {
  const message = new Message()
  view.dispatch({ effects: added.of({ at, message }) })
  return {
    show(text) {
      message.dom.textContent = text
    },
    end(edit, isSelected) {
      const { state } = view
      const place = placeOf(state.field(MESSAGES), message)
      const effects = ended.of(message)
      if (edit === undefined || place === undefined || state.readOnly) {
        view.dispatch({ effects })
        return
      }
      const { from, to, insert, select } = edit({
        text: state.doc.toString(),
        from: place,
        to: place,
      })
      const [anchor, head] = select
      view.dispatch({
        effects,
        changes: { from, to, insert },
        ...(isSelected === true && { selection: { anchor, head }, scrollIntoView: true }),
        userEvent: 'input.drop',
      })
      if (isSelected === true) view.focus()
    },
  }
}

function placeOf(messages: DecorationSet, message: Message): number | undefined {
  for (const cursor = messages.iter(); cursor.value !== null; cursor.next())
    if (messageOf(cursor.value) === message) return cursor.from
  return undefined
}

function messageOf(decoration: Decoration): unknown {
  // The library declares `spec` as any.
  const { widget } = decoration.spec as { readonly widget?: unknown }
  return widget
}

export interface GivenFiles {
  readonly files: readonly File[]
  /** The offset in the text. */
  readonly at: number
  readonly isPasted: boolean
}

/** Files are accepted, unless the clipboard also has a text. */
export function acceptFiles(onFiles: (given: GivenFiles) => void): Extension {
  return [
    MESSAGES,
    EditorView.domEventHandlers({
      paste({ clipboardData }, view) {
        const files = [...(clipboardData?.files ?? [])]
        if (files.length === 0 || clipboardData?.types.includes('text/plain') === true) return false
        if (!view.state.readOnly)
          onFiles({ files, at: view.state.selection.main.to, isPasted: true })
        return true
      },
      drop({ dataTransfer, clientX: x, clientY: y }, view) {
        const files = [...(dataTransfer?.files ?? [])]
        if (files.length === 0) return false
        const at = view.posAtCoords({ x, y }) ?? view.state.selection.main.to
        if (!view.state.readOnly) onFiles({ files, at, isPasted: false })
        return true
      },
    }),
  ]
}
