// The sign of our own pages, in them: nothing has to be loaded for it, whatever path stands in front of theirs.

const SIGN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a56b0"/>' +
  '<path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

export const FAVICON = `data:image/svg+xml,${encodeURIComponent(SIGN)}`
