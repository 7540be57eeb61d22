// A numbered list of what to do, each with a line for the terminal.

import { useTexts } from '../../texts/use-texts.ts'
import { CodeLine } from '../../ui/code-line.tsx'
import { Icon } from '../../ui/icon.tsx'

export interface Step {
  readonly title: string
  readonly text: string
  readonly line: string
  /** Undefined: it cannot be told. */
  readonly isDone?: boolean | undefined
}

export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const { t } = useTexts()
  return (
    <ol class="steps card">
      {steps.map(({ title, text, line, isDone }, at) => (
        <li key={title} class="step">
          <span class={isDone === true ? 'step-number step-done' : 'step-number'}>
            {isDone === true ? <Icon name="check" /> : at + 1}
          </span>
          <div class="step-body">
            <h3>
              {title}
              {isDone === true && <span class="unseen"> ({t.start.done})</span>}
            </h3>
            <p class="quiet">{text}</p>
            <CodeLine text={line} label={title} />
          </div>
        </li>
      ))}
    </ol>
  )
}
