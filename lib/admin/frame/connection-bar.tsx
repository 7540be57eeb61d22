// Says that the server is gone, for as long as it is. It lies over the page and moves nothing.

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
