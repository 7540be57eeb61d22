// Asks which events of a series a change applies to.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Scope, SCOPES } from './series.ts'

export interface ScopeDialogProps {
  readonly title: string
  readonly isDangerous: boolean
  readonly onChoose: (scope: Scope) => void
  readonly onClose: () => void
}

export function ScopeDialog({ title, isDangerous, onChoose, onClose }: ScopeDialogProps) {
  const { t } = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="scopes">
        {SCOPES.map((scope) => (
          <Button
            key={scope}
            kind={isDangerous && scope === 'all' ? 'danger' : 'plain'}
            onPress={() => onChoose(scope)}
          >
            {t.calendar.scopes[scope]}
          </Button>
        ))}
      </div>
      <p class="field-hint">{t.calendar.scopeText}</p>
    </Dialog>
  )
}
