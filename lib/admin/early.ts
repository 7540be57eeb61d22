// Runs before anything is shown, and so before the program: what a reader has chosen, light or dark, is there with the
// first paint. Built apart from the rest, as a script of its own.

import { applyTheme, storedTheme } from './client/preferences.ts'

applyTheme(storedTheme())
