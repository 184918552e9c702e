import type { User } from '@privity/contract/session'

/** Drafts of one conversation in a browser: each tab has its own and takes over that of a closed tab. */
export function createBrowser(device: <T>(work: () => T) => Promise<T> = async (work) => work()) {
  const drafts = new Map<object, string>()
  const living = new Set<object>()
  const sent: string[] = []

  function openTab() {
    const tab = {}
    living.add(tab)
    const set = (text: string) => void (text === '' ? drafts.delete(tab) : drafts.set(tab, text))
    function take(): string {
      const own = drafts.get(tab)
      if (own !== undefined) return own
      for (const [other, text] of drafts) {
        if (living.has(other)) continue
        drafts.delete(other)
        set(text)
        return text
      }
      return ''
    }
    const client = {
      account: { state: { get: () => ({ status: 'open', user: { id: 'anna' } as User }) as const } },
      drafts: { take: () => device(take), set: (_: string, text: string) => device(() => set(text)) },
      messages: {
        send: (_: string, text: string, rest?: string) =>
          device(() => {
            if (rest !== undefined) set(rest)
            return sent.push(text) as never
          }),
      },
    }
    return { client, kept: () => drafts.get(tab) ?? '', close: () => void living.delete(tab) }
  }

  return { openTab, sent, kept: () => [...drafts.values()] }
}
