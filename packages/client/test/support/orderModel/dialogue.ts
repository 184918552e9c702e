import type { People } from './people.ts'
import { createRun } from './run.ts'
import { minute, second } from './scene.ts'
import type { Lie } from './server.ts'
import type { ModelTab } from './world.ts'

/** The first browser of each person. */
export const [anna, ben] = [0, 2]

/** A run whose clocks are right. */
export async function createDialogue(people: People) {
  const run = await createRun(people, 1)
  const { browsers, server, time, openTab, list } = run
  for (const browser of browsers) browser.ahead = 0

  /** Sends, unless the network keeps it, and gives it time to arrive. */
  async function send(tab: ModelTab, text: string): Promise<void> {
    const sending = tab.send(text)
    await time.pass(minute)
    await sending
  }

  return {
    ...run,
    send,
    /** Opens a page of each; Ben's has known the whole conversation for longer than clocks differ. */
    async openBoth(): Promise<[ModelTab, ModelTab]> {
      const tabs: [ModelTab, ModelTab] = [await openTab(anna), await openTab(ben)]
      await list(tabs[1])
      await time.pass(20 * minute)
      return tabs
    },
    /** The page fetches what has arrived, and shows nothing of it. */
    async catchUp(tab: ModelTab): Promise<void> {
      const asking = tab.catchUp()
      await time.pass(second)
      await asking
    },
    /** Shows Ben other messages than there are. */
    lieToBen(lie: Lie): void {
      const { userId } = people[1]
      server.state.lie = (shown, to, place) => (to === userId ? lie(shown, to, place) : shown)
    },
    /** Lists twice: a mark comes after the list in which it shows. */
    async look(tab: ModelTab) {
      for (let i = 0; i < 3; i++) {
        await list(tab)
        await time.pass(minute / 5)
      }
      return list(tab)
    },
  }
}

export type Dialogue = Awaited<ReturnType<typeof createDialogue>>
