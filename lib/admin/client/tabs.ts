// Coordinates the tabs of one browser, which share one session: signing out in one tab signs out all tabs.

type Message = 'signed-in' | 'signed-out'

export interface Tabs {
  readonly tell: (message: Message) => void
  /** Calls the listener for messages of other tabs. */
  readonly onMessage: (listener: (message: Message) => void) => void
  /** Serializes work across tabs, because each response changes what the next request sends. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export function openTabs(name: string): Tabs {
  const channel = new BroadcastChannel(name)
  return {
    tell: (message) => channel.postMessage(message),
    onMessage(listener) {
      channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data))
    },
    async inTurn(work) {
      // Browsers have no Web Locks without TLS, except on localhost.
      if (!('locks' in navigator)) return work()
      return navigator.locks.request(name, work)
    },
  }
}
