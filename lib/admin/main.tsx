// Entry point of the administration area.

import { render } from 'preact'
import { App } from './frame/app.tsx'
import { PAGES } from './pages.ts'

const root = document.getElementById('app')
if (root !== null) render(<App pages={PAGES} />, root)
