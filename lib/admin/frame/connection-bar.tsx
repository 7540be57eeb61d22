// Shows that the server is unreachable. The bar overlays the page and shifts nothing.

import { useCell } from '../client/cell.ts'
import { useClient } from '../client/client-context.ts'
import { useTexts } from '../texts/use-texts.ts'

export function ConnectionBar() {
  const { t } = useTexts()
  const isLost = useCell(useClient().connection.state) === 'lost'
  return (
    <div class="connection-bar" role="status">
      {isLost && <p>{t.connection.lost}</p>}
    </div>
  )
}
