// The icon of our own pages, inline as a data: URL, so that it needs no request and no base path.

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a56b0"/>' +
  '<path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

export const FAVICON = `data:image/svg+xml,${encodeURIComponent(ICON)}`
