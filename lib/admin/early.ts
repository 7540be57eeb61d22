// Applies the stored theme before the first paint. This file is built as a script of its own that runs before the
// program.

import { applyTheme, storedTheme } from './client/preferences.ts'

applyTheme(storedTheme())
