// The dashboard: current problems with advice, load, and disk usage.

import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Charts } from './charts.tsx'
import { Contents } from './contents.tsx'
import { GivenUp } from './given-up.tsx'
import { Tiles } from './tiles.tsx'
import { useFigures } from './use-figures.ts'
import { Warnings } from './warnings.tsx'

export function DashboardPage() {
  const { t } = useTexts()
  const { history, readiness, error, isPaused, pause } = useFigures()
  return (
    <Page
      title={t.titles.dashboard}
      intro={t.dashboard.intro}
      isWide
      actions={
        <Button isPressed={isPaused} onPress={() => pause(!isPaused)}>
          {t.dashboard.pause}
        </Button>
      }
    >
      {error !== undefined && <ProblemNotice error={error} />}
      <Warnings readiness={readiness} />
      <GivenUp />
      <Tiles history={history} />
      <Charts history={history} />
      <Contents now={history.latest?.now} />
    </Page>
  )
}
