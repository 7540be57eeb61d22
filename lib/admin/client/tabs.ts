// The tabs of one browser have one session: who signs out in one has signed out in all.

type Message = 'signed-in' | 'signed-out'

export interface Tabs {
  readonly tell: (message: Message) => void
  /** What another tab has told. */
  readonly onMessage: (listener: (message: Message) => void) => void
  /** One tab after the other: the answer to each changes what the next one sends. */
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
      // Without TLS browsers have no locks, but for a server on the same machine.
      if (!('locks' in navigator)) return work()
      return navigator.locks.request(name, work)
    },
  }
}
