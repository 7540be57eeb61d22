// A numbered list of steps, each with a link.

import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'

export interface Step {
  readonly title: string
  readonly text: string
  readonly page: string
  /** Label of the link. */
  readonly action: string
  readonly icon: IconName
  /** Undefined if unknown. */
  readonly isDone?: boolean | undefined
}

export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const { t } = useTexts()
  return (
    <ol class="steps card">
      {steps.map(({ title, text, page, action, icon, isDone }, at) => (
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
            <div>
              <ButtonLink href={pathOf(page)} icon={icon}>
                {action}
              </ButtonLink>
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
