import { defineConfig } from 'astro/config'

// Each page keeps the name of its file, so that links between the pages work unchanged.
export default defineConfig({ build: { format: 'file' }, devToolbar: { enabled: false } })
