// A shortcut as on the reader's keyboard: `mod+k` is Ctrl K, or ⌘ K on a Mac.
//
//   <Keys keys="mod+k" />

const MAC = /mac|iphone|ipad/i

export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span class="keys">
      {keys.split('+').map((key) => (
        <kbd key={key}>{nameOf(key)}</kbd>
      ))}
    </span>
  )
}

function nameOf(key: string): string {
  if (key !== 'mod') return key.length === 1 ? key.toUpperCase() : key
  return isMac() ? '⌘' : 'Ctrl'
}

function isMac(): boolean {
  return MAC.test(navigator.userAgent)
}
