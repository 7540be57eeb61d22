// How a child process of ours ends, once all is said.

/**
 * Ends this process at once. Not by process.exit(), in which Node can hang for ever when V8 compiles or
 * collects at that moment (nodejs/node#54918), and whoever waits for the end with it. So the end of a child
 * says nothing; what it has sent before does.
 */
export function endChild(): void {
  process.kill(process.pid, 'SIGKILL')
}
