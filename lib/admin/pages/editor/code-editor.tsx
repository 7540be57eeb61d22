// The text editor of a page, with the list of errors below. Each error links to its place.

import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import type { CodeParts } from './code-language.ts'
import type { CodeView } from './code-view.ts'
import type { GivenFiles } from './text-places.ts'
import { deadLinkText } from '../content/publish-question.tsx'
import { findDeadLinks, hasAddresses } from './dead-links.ts'
import { stmlFaultText } from './stml-checker.ts'
import { type Fault, openTextChecker } from './text-checker.ts'

export interface CodeEditorProps {
  readonly parts: CodeParts
  readonly name: string
  /** Initial text; later texts are set through the view. */
  readonly text: string
  readonly isReadOnly: boolean
  /** The folder at which relative addresses start. */
  readonly folderId: number
  /** Work by key, such as Mod-b. */
  readonly keys?: Readonly<Record<string, () => void>>
  readonly onFiles?: (given: GivenFiles) => void
  readonly onChange: (text: string) => void
  readonly onView: (view: CodeView | undefined) => void
}

export function CodeEditor(props: CodeEditorProps) {
  const { name, isReadOnly, onView } = props
  const { t } = useTexts()
  const hint = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<CodeView>()
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const latest = useRef(props)
  latest.current = props
  const check = useCheck(props, view)

  useEffect(() => {
    if (frame.current === null) return undefined
    const { parts, text, keys = {}, onFiles } = latest.current
    const made = parts.openCodeView({
      parent: frame.current,
      text,
      language: parts.extension,
      label: fill(t.editor.textOf, { name }),
      describedBy: hint,
      phrases: t.editor.phrases,
      keys: Object.fromEntries(
        Object.keys(keys).map((key) => [key, () => latest.current.keys?.[key]?.()]),
      ),
      onChange(next) {
        latest.current.onChange(next)
        check.current(next)
      },
      onFaults: setFaults,
      ...(onFiles !== undefined && { onFiles: (given) => latest.current.onFiles?.(given) }),
    })
    setView(made)
    onView(made)
    // Focuses an empty text, which the user wants to type into.
    if (text === '') made.focus()
    return () => {
      onView(undefined)
      made.close()
    }
  }, [t])
  useEffect(() => view?.setReadOnly(isReadOnly), [view, isReadOnly])

  return (
    <div class="code-editor">
      <div ref={frame} class="code-frame" />
      <FaultList faults={faults} onChoose={(fault) => view?.goTo(fault)} />
      <p id={hint} class="code-hint">
        {t.editor.tabHint}
      </p>
    </div>
  )
}

/** The server checks STML and addresses while the user types. */
function useCheck({ parts, text, folderId }: CodeEditorProps, view: CodeView | undefined) {
  const api = useApi()
  const { t } = useTexts()
  const check = useRef<(text: string) => void>(() => undefined)
  useEffect(() => {
    if (view === undefined) return undefined
    const { language } = parts
    const found: (readonly Fault[])[] = [[], []]
    const show = (at: number) => (faults: readonly Fault[]) => {
      found[at] = faults
      view.setFaults(found.flat())
    }
    const checkers = [
      ...(language === 'stml' ? [openTextChecker(findStmlFaults, show(0))] : []),
      ...(hasAddresses(language) ? [openTextChecker(findLinkFaults, show(1))] : []),
    ]
    async function findStmlFaults(pageContent: string, signal: AbortSignal) {
      const body = { pageContent }
      const { faults } = await dataOf(api.POST('/stml/check', { signal, body }))
      return faults.map((fault) => ({
        ...fault,
        detail: stmlFaultText(fault.detail, t.editor.stml),
      }))
    }
    async function findLinkFaults(typed: string, signal: AbortSignal) {
      const links = await findDeadLinks(api, { language, folderId, text: typed }, signal)
      return links.map((link) => ({ ...link, detail: deadLinkText(link, t), isWarning: true }))
    }
    check.current = (typed) => {
      for (const checker of checkers) checker.check(typed)
    }
    check.current(text)
    return () => {
      for (const checker of checkers) checker.close()
    }
  }, [view, folderId])
  return check
}

interface FaultListProps {
  readonly faults: readonly Fault[]
  readonly onChoose: (fault: Fault) => void
}

/** Maximum number of listed errors. */
const MOST_SHOWN = 20

function FaultList({ faults, onChoose }: FaultListProps) {
  const { t, formats } = useTexts()
  return (
    <div class="faults" role="status">
      {faults.slice(0, MOST_SHOWN).map((fault) => (
        <button
          key={`${fault.line} ${fault.column} ${fault.detail}`}
          type="button"
          class={fault.isWarning === true ? 'fault fault-warning' : 'fault'}
          onClick={() => onChoose(fault)}
        >
          <Icon name="alert" />
          <span class="fault-place">
            {fill(t.editor.place, {
              line: formats.number(fault.line),
              column: formats.number(fault.column),
            })}
          </span>
          <span>{fault.detail}</span>
        </button>
      ))}
    </div>
  )
}
